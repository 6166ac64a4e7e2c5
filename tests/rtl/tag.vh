// SPDX-License-Identifier: Apache-2.0
// What travels beside the data from the window to the output, as bits of a flat vector; the slot says where the core's
// job store keeps the job.
`define TAG_BITS 71
`define TAG_ENTRY 19:0
`define TAG_X 33:20
`define TAG_ROW 47:34
`define TAG_GROUP 63:48
`define TAG_NEW_WEIGHTS 64
`define TAG_FIRST 65
`define TAG_LAST 66
`define TAG_JOB_END 67
`define TAG_SLOT 70:68
