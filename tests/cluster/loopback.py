#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A cluster of two nodes on loopback searches the space of FAQ-CNN while a task is killed and a node drained.

loopback.py FANSIM: starts munged, slurmctld and two slurmd of its own; the front must be that of one task, byte for byte."""
import filecmp
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SPACE, NETWORK, TASKS = 'faq_alexnet', 'alexnet', 4
PATIENCE = 240  # seconds, for each thing that is awaited

CONFIG = """ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CryptoType=crypto/munge
SlurmctldPort={controller}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdSpoolDir={folder}/spool.%n
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerParameters=sched_interval=2,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
MpiDefault=none
KillWait=1
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=1
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=1
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(('127.0.0.1', 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def said(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f'{" ".join(command)}: {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def await_that(what, holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError(f'waited {PATIENCE} s: {what}')
        time.sleep(0.1)


class Cluster:
    def __init__(self, folder):
        self.folder, self.daemons = folder, []
        user = subprocess.run(['id', '-un'], capture_output=True, text=True).stdout.strip()
        controller, first, second = free_ports(3)
        os.environ['SLURM_CONF'] = config = f'{folder}/slurm.conf'
        os.mkdir(f'{folder}/state')
        for node in 'n1', 'n2':
            os.mkdir(f'{folder}/spool.{node}')
        with open(config, 'w') as file:
            file.write(CONFIG.format(host=socket.gethostname().split('.')[0], user=user, folder=folder,
                                     controller=controller, first=first, second=second))
        key = f'{folder}/munge.key'
        with open(os.open(key, os.O_CREAT | os.O_WRONLY, 0o400), 'wb') as file:
            file.write(os.urandom(1024))
        self.start('munged', '--foreground', '--force', f'--key-file={key}', f'--socket={folder}/munge.socket',
                   f'--pid-file={folder}/munge.pid', f'--seed-file={folder}/munge.seed', '--log-file=/dev/null')
        await_that('munged', lambda: os.path.exists(f'{folder}/munge.socket'))
        self.start('slurmctld', '-D', '-f', config)
        self.start('slurmd', '-D', '-N', 'n1', '-f', config)
        self.start('slurmd', '-D', '-N', 'n2', '-f', config)
        await_that('two idle nodes', lambda: self.states() == ['idle', 'idle'])

    def start(self, *command):
        program = shutil.which(command[0], path=os.environ['PATH'] + ':/usr/sbin:/sbin')
        log = open(f'{self.folder}/{command[0]}.{len(self.daemons)}.out', 'w')
        self.daemons.append(subprocess.Popen([program, *command[1:]], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                             start_new_session=True))

    @staticmethod
    def states():
        done = subprocess.run(['sinfo', '-h', '-N', '-o', '%T'], capture_output=True, text=True)
        return done.stdout.split()

    def stop(self):
        subprocess.run(['scancel', '--user', str(os.getuid())], capture_output=True)
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()


def task(shared, index):
    try:
        with open(f'{shared}/task-{index}/told.json') as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def main():
    fansim, folder = os.path.abspath(sys.argv[1]), tempfile.mkdtemp(prefix='loopback')
    cluster = None
    try:
        said(fansim, 'explore', SPACE, NETWORK, '--jobs', '1', '--csv', f'{folder}/one.csv')
        cluster = Cluster(folder)
        shared = f'{folder}/shared'
        many = subprocess.run([fansim, 'explore', SPACE, NETWORK, '--slurm', '--array', '1001', '--dir', shared],
                              capture_output=True, text=True)
        assert many.returncode == 2 and 'this cluster allows 1..1000' in many.stderr, many.stderr
        job = said(fansim, 'explore', SPACE, NETWORK, '--slurm', '--array', str(TASKS), '--jobs', '1', '--dir',
                   shared).split()[1]
        await_that('a running task', lambda: (task(shared, 1) or {}).get('state') == 'running')
        began = task(shared, 1)['began']
        said('scontrol', 'requeue', f'{job}_1')
        print('task 1 killed and queued again')
        said('scontrol', 'update', 'NodeName=n2', 'State=DRAIN', 'Reason=test')
        await_that('node n2 drained', lambda: 'drained' in Cluster.states())
        said('scontrol', 'update', 'NodeName=n2', 'State=RESUME')
        print('node n2 drained and resumed')
        await_that('the merged front', lambda: not said('squeue', '-h').strip())
        print(said(fansim, 'explore', '--status', shared).strip())
        with open(f'{shared}/front.json') as file:
            merged = json.load(file)
        assert merged['proven'], 'not proven'
        assert task(shared, 1)['began'] > began, 'task 1 was not begun again'
        assert filecmp.cmp(f'{shared}/front.csv', f'{folder}/one.csv', shallow=False), 'another front'
        print(f'{merged["counts"]["points"]:.3g} points by {TASKS} tasks on two nodes: proven, the front of one task')
    except Exception:
        for name in sorted(os.listdir(folder)):
            if name.endswith(('.log', '.out')):
                with open(f'{folder}/{name}') as file:
                    print(f'== {name}', *file.read().splitlines()[-15:], sep='\n')
        raise
    finally:
        if cluster:
            cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    main()
