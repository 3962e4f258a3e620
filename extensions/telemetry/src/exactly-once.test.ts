import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../scripts/properties.ts';
import { type Disk, type Process, startProcess } from './testing/machine.ts';
import { createFakeServer, type FakeServer, type Fault } from './testing/server.ts';
import { createWorld, microtasksSettled, type World } from './testing/world.ts';

/** Number of random test runs. */
const runs = propertyRuns(100);
const cap = 40;
const hour = 60 * 60_000;
const windows = ['one', 'two'] as const;

interface QueueScene {
  world: World;
  server: FakeServer;
  disk: Disk;
  open: Map<string, Process>;
  recorded: string[];
  dropped: Set<string>;
}
type QueueStep = (scene: QueueScene) => Promise<void> | void;

const named = (name: string, run: QueueStep) => Object.assign(run, { [fc.toStringMethod]: () => name });

const faults: Fault[] = [
  'none',
  'lost',
  'unanswered',
  'busy',
  'broken',
  'unauthenticated',
  'forbidden',
  'archived',
  'hotel',
];
const window = fc.constantFrom(...windows);

const step: fc.Arbitrary<QueueStep> = fc.oneof(
  fc
    .tuple(window, fc.integer({ min: 1, max: 15 }), fc.constantFrom('good', 'rejected', 'poison'))
    .map(([file, count, how]) =>
      named(`record ${count} ${how} in ${file}`, async (scene) => {
        const events = await start(scene, file).record(count);
        for (const { message_id } of events) {
          scene.recorded.push(message_id);
          if (how !== 'good' && message_id < '4')
            scene.server[how === 'poison' ? 'poison' : 'rejected'].add(message_id);
        }
      }),
    ),
  fc.integer({ min: 1, max: 20 * 60_000 }).map((ms) => named(`pass ${ms}`, ({ world }) => world.pass(ms))),
  fc
    .constantFrom(...faults)
    .map((fault) => named(`fault ${fault}`, ({ server }) => void Object.assign(server, { fault }))),
  fc
    .constantFrom(1, 7, 500)
    .map((maxBatch) => named(`most ${maxBatch}`, ({ server }) => void Object.assign(server, { most: maxBatch }))),
  fc
    .constantFrom(null, 1000, 10 * 60_000)
    .map((retryAfterMs) =>
      named(`retry after ${retryAfterMs}`, ({ server }) => void Object.assign(server, { retryAfterMs })),
    ),
  fc
    .integer({ min: -400 * 24 * hour, max: 400 * 24 * hour })
    .map((ms) => named(`jump ${ms}`, ({ world }) => world.jump(ms))),
  window.map((file) => named(`crash ${file}`, (scene) => end(scene, file))),
  // Interrupts any running operation.
  window.map((file) =>
    named(`flush and crash ${file}`, (scene) => {
      void start(scene, file).sender.flush();
      end(scene, file);
    }),
  ),
  fc.tuple(window, fc.integer({ min: 0, max: 3 })).map(([file, until]) =>
    named(`${file} adopts the other, ${until} steps`, async (scene) => {
      const other = file === 'one' ? 'two' : 'one';
      end(scene, other);
      await start(scene, file).adopt(other, until);
      if (until < 3) end(scene, file);
    }),
  ),
);

test('stores every event exactly once, keeps it queued, or counts it as dropped', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const world = createWorld();
      const scene: QueueScene = {
        world,
        server: createFakeServer(world.clock),
        disk: new Map(),
        open: new Map(),
        recorded: [],
        dropped: new Set(),
      };
      for (const run of steps) {
        await run(scene);
        await microtasksSettled();
        accountedFor(scene);
      }
      Object.assign(scene.server, { fault: 'none', most: 500, retryAfterMs: null });
      for (const file of windows) start(scene, file).sender.kick();
      await world.pass(2 * hour);
      accountedFor(scene);
      expect([...scene.disk.values()].flat()).toEqual([]);
      const refused = new Set([...scene.server.poison, ...scene.server.rejected]);
      expect(
        scene.recorded.filter((id) => !scene.server.stored.has(id) && !refused.has(id) && !scene.dropped.has(id)),
      ).toEqual([]);
    }),
    { numRuns: runs },
  );
});

function accountedFor({ server, disk, recorded, dropped }: QueueScene) {
  expect([...server.stored.values()].every((times) => times === 1)).toBe(true);
  const queued = new Set([...disk.values()].flat().map(({ message_id }) => message_id));
  expect(recorded.filter((id) => !server.stored.has(id) && !queued.has(id) && !dropped.has(id))).toEqual([]);
}

function start(scene: QueueScene, file: string): Process {
  const known = scene.open.get(file);
  if (known) return known;
  const process = startProcess(scene.world, {
    disk: scene.disk,
    server: scene.server,
    file,
    options: {
      cap,
      onDropped: (ids) => {
        for (const id of ids) scene.dropped.add(id);
      },
    },
  });
  scene.open.set(file, process);
  return process;
}

function end(scene: QueueScene, file: string) {
  scene.open.get(file)?.crash();
  scene.open.delete(file);
}
