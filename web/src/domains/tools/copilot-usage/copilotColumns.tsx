import type { CopilotActivities, CopilotActivity, CopilotUsage } from '@sightline/contract/tools/copilot-usage.ts';
import type { Column } from '#ui/column.ts';
import { RowName } from '#ui/RowTitle.tsx';
import s from './CopilotUsage.module.css';
import { countLabels, countText, featureText } from './copilotTexts.ts';

interface UsageRow {
  counts: CopilotActivities;
}

const shown = ['interactions', 'generations', 'acceptances', 'linesSuggested', 'linesAdded', 'linesDeleted'] as const;

const countColumn = <Row extends UsageRow>(activity: CopilotActivity): Column<Row> => ({
  key: activity,
  header: countLabels[activity],
  width: 124,
  place: 'meta',
  cell: ({ counts }) => (
    <span className={s.number}>
      {countText(counts[activity])}
      <span className={s.unit}> {countLabels[activity].toLowerCase()}</span>
    </span>
  ),
});

export const modelColumns: readonly Column<CopilotUsage['byModel'][number]>[] = [
  { key: 'model', header: 'Model', place: 'main', cell: ({ model }) => <RowName>{model}</RowName> },
  { key: 'feature', header: 'Feature', width: 200, place: 'side', cell: ({ feature }) => featureText(feature) },
  ...shown.map((activity) => countColumn<CopilotUsage['byModel'][number]>(activity)),
];

export const featureColumns: readonly Column<CopilotUsage['byFeature'][number]>[] = [
  {
    key: 'feature',
    header: 'Feature',
    place: 'main',
    cell: ({ feature }) => <RowName>{featureText(feature)}</RowName>,
  },
  ...shown.map((activity) => countColumn<CopilotUsage['byFeature'][number]>(activity)),
];

export const editorColumns: readonly Column<CopilotUsage['byEditor'][number]>[] = [
  { key: 'editor', header: 'Editor', place: 'main', cell: ({ editor }) => <RowName>{editor}</RowName> },
  ...shown.map((activity) => countColumn<CopilotUsage['byEditor'][number]>(activity)),
];
