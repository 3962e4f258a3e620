import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosStage, StageNode } from './stage.ts';

/** A temporary fault. `run` resolves when its cause is removed. */
export interface Fault {
  name: string;
  run: (random: () => number) => Promise<void>;
}

const between = (random: () => number, min: number, max: number): number => min + random() * (max - min);
const signal = (pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The backend has ended.
    }
  }
};
const childrenOf = (pid: number): number[] =>
  execFileSync('pgrep', ['--parent', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

/** Returns every fault of a stage. */
export function createFaults(stage: ChaosStage): Fault[] {
  const pick = (random: () => number): StageNode => stage.nodes[Math.trunc(random() * stage.nodes.length)] as StageNode;
  const [api1, , worker] = stage.nodes as [StageNode, StageNode, StageNode];
  const kill = (node: StageNode): Fault => ({
    name: `SIGKILL of ${node.name}`,
    async run(random) {
      await node.program.stop('SIGKILL');
      await pause(between(random, 0, 5_000));
      await node.program.start();
    },
  });
  const stop = (node: StageNode): Fault => ({
    name: `SIGSTOP of ${node.name}`,
    async run(random) {
      const pid = node.program.pid();
      signal([pid], 'SIGSTOP');
      await pause(between(random, 2_000, 12_000));
      signal([pid], 'SIGCONT');
    },
  });
  return [
    ...stage.nodes.flatMap((node) => [kill(node), stop(node)]),
    {
      name: 'SIGKILL of PostgreSQL',
      async run(random) {
        await stage.postgres.stop('SIGKILL');
        await pause(between(random, 500, 5_000));
        await stage.postgres.start();
      },
    },
    {
      name: 'SIGSTOP of PostgreSQL',
      async run(random) {
        const pid = stage.postgres.pid();
        const all = [pid, ...childrenOf(pid)];
        signal(all, 'SIGSTOP');
        await pause(between(random, 2_000, 12_000));
        signal(all.toReversed(), 'SIGCONT');
      },
    },
    {
      name: 'connections to PostgreSQL cut',
      async run(random) {
        stage.relay.cut();
        await pause(between(random, 1_000, 8_000));
        stage.relay.thaw();
      },
    },
    {
      name: 'network to PostgreSQL stalled',
      async run(random) {
        stage.relay.stall();
        await pause(between(random, 2_000, 12_000));
        stage.relay.thaw();
      },
    },
    {
      name: 'disk of PostgreSQL full',
      async run(random) {
        const freeSpace = await stage.fillDisk();
        await pause(between(random, 3_000, 10_000));
        await freeSpace();
      },
    },
    ...(stage.hasClocks
      ? [3_600, -3_600].map(
          (seconds): Fault => ({
            name: `clock of a process shifted by ${seconds / 3_600} h`,
            async run(random) {
              const node = pick(random);
              await node.shiftClock(seconds);
              await pause(between(random, 5_000, 15_000));
              await node.shiftClock(0);
            },
          }),
        )
      : []),
    {
      name: 'code host slow and failing',
      async run(random) {
        const { control, sandbox } = stage.gitlab;
        await control('faults', { match: '/gitlab/api', status: 503, every: 2, times: 1_000_000 });
        await control('faults', { match: '/gitlab/api', truncate: true, every: 3, times: 1_000_000 });
        await control('faults', { match: '/gitlab/api', delayMs: 4_000, times: 1_000_000 });
        await pause(between(random, 5_000, 15_000));
        await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
      },
    },
    {
      name: 'Redis away',
      async run(random) {
        await stage.redis.stop('SIGKILL');
        await pause(between(random, 3_000, 12_000));
        await stage.redis.start();
      },
    },
    {
      name: 'one of two servers removed',
      async run(random) {
        await api1.program.stop('SIGTERM');
        await pause(between(random, 5_000, 15_000));
        await api1.program.start();
      },
    },
    {
      name: 'rolling deployment',
      async run() {
        for (const node of [...stage.nodes.filter((one) => one !== worker), worker]) {
          await node.program.stop('SIGTERM');
          await node.program.start();
        }
      },
    },
  ];
}
