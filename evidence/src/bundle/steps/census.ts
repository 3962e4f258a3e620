import { parseTime } from '../../controls/times.ts';
import { censusGap, censusKind, matchesCensus, parseCensus } from '../../ledger/census.ts';
import { completeKinds } from '../kinds.ts';
import { type LeafEntry, requireStep, type VerificationState } from '../verification-state.ts';

/** Step 6: verifies that no entry of a complete kind is missing from the counted range. */
export function checkCensus(state: VerificationState): string {
  const { manifest } = state;
  const { from, to, kinds } = manifest.population;
  const entries = [...requireStep(state.entries).values()];
  if (kinds.join() !== completeKinds.join())
    throw new Error('The bundle does not claim completeness for a required kind');
  if (to > manifest.ledger.size || to < manifest.evaluated.size)
    throw new Error('The census does not cover all evaluated entries');
  const censuses = entries.filter(({ kind }) => kind === censusKind);
  refuseLateStart(manifest.period.from, from, censuses);
  const chain = censuses
    .filter(({ index }) => index >= from)
    .map((entry) => ({ ...parseCensus(entry.subject), index: entry.index }));
  if (chain[0]?.from !== from || chain.at(-1)?.to !== to)
    throw new Error('The census does not start or end where the bundle states');
  const hole = censusGap(chain, from, to);
  if (hole !== undefined) throw new Error(`The census is not continuous: ${hole}`);
  for (const census of chain) {
    const within = entries.filter(({ index }) => index >= census.from && index < census.to);
    for (const kind of kinds) {
      const leaves = within.filter((entry) => entry.kind === kind).map(({ hash }) => hash);
      if (!matchesCensus(census, kind, leaves))
        throw new Error(`The census counts of kind ${kind} do not match up to entry ${census.to}`);
    }
  }
  state.takenAt = requireStep(censuses.at(-1)).asOf;
  return `${chain.length} censuses from entry ${from} up to ${to}, with all of ${kinds.join(' and ')}.`;
}

/** Throws unless a census precedes the period, or the counted range starts at the beginning of the log. */
function refuseLateStart(periodFrom: string, from: number, censuses: readonly LeafEntry[]): void {
  if (from === 0) return;
  const before = censuses.find(({ index }) => index === from - 1);
  if (!before || parseTime(before.asOf) > parseTime(periodFrom)) {
    throw new Error('The census starts after the period. Earlier entries could be missing');
  }
}
