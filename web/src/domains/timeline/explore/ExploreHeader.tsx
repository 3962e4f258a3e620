import type { EventChart } from '@sightline/contract/timeline/event-charts.ts';
import { docsHref } from '#lib/docs.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { ExportMenu } from '#ui/Export.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { SavedViews } from '../views/SavedViews.tsx';
import s from './Explore.module.css';
import { chartFieldsOf, type ExploreQuery, type TimelineQuery } from './exploreQuery.ts';
import { exportFormats, type useEventExport } from './useEventExport.ts';
import { clockTime, fullTime } from './zone.ts';

interface ExploreHeaderProps {
  /** When the newest end was last requested. */
  asOf: string | undefined;
  question: TimelineQuery;
  chart: EventChart | undefined;
  exporting: ReturnType<typeof useEventExport>;
  onView: (patch: Partial<ExploreQuery>) => void;
}

/** The title of Explore, with saved views, export and link. */
export const ExploreHeader = ({ asOf, question, chart, exporting, onView }: ExploreHeaderProps) => (
  <PageHeader
    title="Explore"
    help={{ href: docsHref('explore'), about: 'Explore' }}
    freshness={
      asOf && (
        <time className={s.asOf} dateTime={asOf} title={fullTime(asOf, question.offset)}>
          As of {clockTime(asOf, question.offset)}
        </time>
      )
    }
    actions={
      <>
        <SavedViews
          list="events"
          current={{ query: question.query, context: question.context ?? null, chart: chart ?? null }}
          onOpen={(view) =>
            onView({
              query: view.query,
              context: view.context ?? undefined,
              event: undefined,
              ...chartFieldsOf(view.chart),
            })
          }
        />
        <ExportMenu
          formats={exportFormats}
          disabled={exporting.state !== undefined}
          onExport={(format) => exporting.start(format, question)}
        />
        <CopyButton framed label="Copy link to this view" value={location.href} />
      </>
    }
  />
);
