import { appendFileSync } from 'node:fs';
import { beforeEach, afterEach } from 'vitest';
let before = process.cpuUsage();
beforeEach(() => { before = process.cpuUsage(); });
afterEach(({ task }) => {
  const used = process.cpuUsage(before);
  appendFileSync(process.env.CPU_OUT, `${(used.user + used.system) / 1000}\t${task.file.name}\t${task.name.replace(/\s+/g,' ')}\n`);
});
