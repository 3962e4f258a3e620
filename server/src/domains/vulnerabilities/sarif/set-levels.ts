import type { RunHead } from './log.ts';
import { columnInteger, type JsonRecord, storableText, valueAt } from './shapes.ts';

/** Returns the level that the invocation of a result sets for its rule; undefined if it sets none. */
export function levelOverridesOf(head: RunHead): (result: JsonRecord, ruleId: string | undefined) => unknown {
  const levels = head.overrides.map(
    (overrides) => new Map(overrides.map((one) => [ruleIdOf(head, one), levelOf(one)])),
  );
  return (result, ruleId) => {
    const index = columnInteger(valueAt(result, 'provenance', 'invocationIndex'), 0);
    return index === undefined || ruleId === undefined ? undefined : levels[index]?.get(ruleId);
  };
}

function ruleIdOf({ driver }: RunHead, override: unknown): string | undefined {
  const id = storableText(valueAt(override, 'descriptor', 'id'), 300)?.trim();
  const index = columnInteger(valueAt(override, 'descriptor', 'index'), 0);
  return id ?? (index === undefined ? undefined : storableText(driver.rules[index]?.id, 300)?.trim());
}

const levelOf = (override: unknown): unknown => valueAt(override, 'configuration', 'level');
