import type { CopilotActivities, CopilotActivity, CopilotUsage } from '@sightline/contract/tools/copilot-usage.ts';
import type { Column } from '#ui/column.ts';
import { RowName } from '#ui/RowTitle.tsx';
import s from './CopilotUsage.module.css';
import { countLabels, countText, featureText } from './copilotTexts.ts';

interface UsageRow {
  counts: CopilotActivities;
}

/** The columns in order, with their width, and their place in a card. */
const shown: readonly (readonly [CopilotActivity, number, Column<unknown>['place']?])[] = [
  ['interactions', 84],
  ['generations', 104],
  ['acceptances', 108, 'metaEnd'],
  ['linesSuggested', 124],
  ['linesAdded', 104, 'meta'],
  ['linesDeleted', 112],
];

const countColumns = <Row extends UsageRow>(): readonly Column<Row>[] =>
  shown.map(([activity, width, place]) => ({
    key: activity,
    header: countLabels[activity],
    width,
    ...(place && { place }),
    cell: ({ counts }) => (
      <span className={s.number}>
        {countText(counts[activity])}
        <span className={s.unit}> {countLabels[activity].toLowerCase()}</span>
      </span>
    ),
  }));

export const modelColumns: readonly Column<CopilotUsage['byModel'][number]>[] = [
  { key: 'model', header: 'Model', place: 'main', cell: ({ model }) => <RowName>{model}</RowName> },
  { key: 'feature', header: 'Feature', width: 200, place: 'side', cell: ({ feature }) => featureText(feature) },
  ...countColumns<CopilotUsage['byModel'][number]>(),
];

export const featureColumns: readonly Column<CopilotUsage['byFeature'][number]>[] = [
  {
    key: 'feature',
    header: 'Feature',
    place: 'main',
    cell: ({ feature }) => <RowName>{featureText(feature)}</RowName>,
  },
  ...countColumns<CopilotUsage['byFeature'][number]>(),
];

export const editorColumns: readonly Column<CopilotUsage['byEditor'][number]>[] = [
  { key: 'editor', header: 'Editor', place: 'main', cell: ({ editor }) => <RowName>{editor}</RowName> },
  ...countColumns<CopilotUsage['byEditor'][number]>(),
];
