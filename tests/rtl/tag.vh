// SPDX-License-Identifier: Apache-2.0
// What travels beside the data from the window to the output, as bit ranges of one vector: the job's slot in the job
// store, accumulator entry, window or pooled column, output row or time step within the job, output-channel group; the
// first window of a pass, the entry starts here, the sum goes on to the quantiser, the job's last sum.
`ifndef TAG_VH
`define TAG_VH
`define TAG_BITS 67
`define TAG_SLOT 2:0
`define TAG_ENTRY 18:3
`define TAG_X 32:19
`define TAG_ROW 46:33
`define TAG_GROUP 62:47
`define TAG_NEW_WEIGHTS 63
`define TAG_FIRST 64
`define TAG_LAST 65
`define TAG_JOB_END 66
`endif
