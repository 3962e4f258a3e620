import type { RunHead } from './log.ts';
import { at, type JsonRecord, numberOf, textOf } from './shapes.ts';

/** The level that the invocation a result is from sets for its rule instead of the rule's own; undefined for most. */
export function setLevelsOf(head: RunHead): (result: JsonRecord, ruleId: string | undefined) => unknown {
  const levels = head.overrides.map(
    (overrides) => new Map(overrides.map((one) => [ruleIdOf(head, one), levelOf(one)])),
  );
  return (result, ruleId) => {
    const index = numberOf(at(result, 'provenance', 'invocationIndex'), 0);
    return index === undefined || ruleId === undefined ? undefined : levels[index]?.get(ruleId);
  };
}

function ruleIdOf({ driver }: RunHead, override: unknown): string | undefined {
  const named = textOf(at(override, 'descriptor', 'id'), 300)?.trim();
  const index = numberOf(at(override, 'descriptor', 'index'), 0);
  return named ?? (index === undefined ? undefined : textOf(driver.rules[index]?.id, 300)?.trim());
}

const levelOf = (override: unknown): unknown => at(override, 'configuration', 'level');
