import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Panel } from '#ui/Panel.tsx';
import { locationText } from '../location-text.ts';
import c from './Code.module.css';
import s from './Evidence.module.css';
import { DataFlowSteps } from './FlowSteps.tsx';

/** Shows further data of the scanner: other locations, other data flows, and suggested fixes. */
export function ScannerDetails({ finding }: { finding: FindingDetail }) {
  const { locations, relatedLocations, otherFlows, fixes } = finding;
  return (
    <>
      <Locations title="Other locations" locations={locations} />
      <Locations title="Related locations" locations={relatedLocations} />
      {otherFlows.length > 0 && (
        <Panel title="Other code flows">
          <div className={s.groups}>
            {otherFlows.map((flow, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a code flow is identified by its index
              <DataFlowSteps key={index} flow={flow} label={`Code flow ${index + 2}`} />
            ))}
          </div>
        </Panel>
      )}
      {fixes.length > 0 && (
        <Panel title="Suggested fixes">
          <ul className={s.groups}>
            {fixes.map((fix, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a fix is identified by its index
              <li key={index} className={s.fix}>
                {fix.description !== '' && <p>{fix.description}</p>}
                {fix.changes.map((change) => (
                  <Change key={`${locationText(change)} ${change.inserted}`} change={change} />
                ))}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

function Locations({ title, locations }: { title: string; locations: FindingDetail['locations'] }) {
  if (locations.length === 0) return null;
  return (
    <Panel title={title}>
      <ul className={s.places} aria-label={title}>
        {locations.map((location) => (
          <li key={`${locationText(location)} ${location.message}`}>
            <code className={c.where}>
              {location.url === null ? (
                locationText(location)
              ) : (
                <ExternalLink href={location.url}>{locationText(location)}</ExternalLink>
              )}
            </code>
            {location.message !== '' && <span>{location.message}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type FixChange = FindingDetail['fixes'][number]['changes'][number];

const Change = ({ change }: { change: FixChange }) => (
  <div className={s.change}>
    <p>
      {change.inserted === '' ? 'Delete' : 'Replace'} <code className={c.where}>{rangeOf(change)}</code>
      {change.inserted !== '' && ' with'}
    </p>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must be scrollable by keyboard */}
    {change.inserted !== '' && <pre tabIndex={0}>{change.inserted}</pre>}
  </div>
);

function rangeOf(change: FixChange): string {
  const { line, endLine, endColumn } = change;
  if (line === null || endLine === null || (endLine === line && endColumn === null)) return locationText(change);
  return `${locationText(change)} to ${endLine}${endColumn === null ? '' : `:${endColumn}`}`;
}
