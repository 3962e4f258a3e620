import { expect, test } from 'vitest';
import { detectTools } from './detect.ts';
import { type PipelineStyle, pipelineStyles } from './styles.fixture.ts';

/** Returns the lines that reference third-party actions, independently of the detector. */
const usedLines = (content: string) =>
  content
    .split('\n')
    .flatMap((line, index) => (/^\s*(?:-\s+)?['"]?uses['"]?\s*:\s*["']?[^.\s"'#]/.test(line) ? [index + 1] : []));

const found = ({ path, content }: PipelineStyle) => detectTools(path, content.trimStart());
const sorted = (ids: readonly string[]) => [...new Set(ids)].toSorted();

test.each(Object.entries(pipelineStyles))('%s: detects exactly the expected tools', (_, style) => {
  expect(sorted(found(style).map(({ tool }) => tool.id))).toEqual(sorted(style.tools.trim().split(/\s+/)));
});

const github = Object.entries(pipelineStyles).filter(([name]) => name.startsWith('GitHub'));

test.each(github)('%s: reports the vendor of every line that uses an action', (_, style) => {
  const expected = Object.entries(style.uses ?? {}).map(([line, vendor]) => ({ line: Number(line), vendor }));
  expect(expected.map(({ line }) => line)).toEqual(usedLines(style.content.trimStart()));
  const mentions = found(style);
  const vendorAt = (line: number) => mentions.find((one) => one.line === line)?.tool.vendor;
  expect(expected.map(({ line }) => ({ line, vendor: vendorAt(line) }))).toEqual(expected);
});
