import { type ControlState, listControlSettings } from '@sightline/contract/compliance/control-runs.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { settingText } from '#ui/settingText.ts';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Control.module.css';

/** Shows the population, the verdict criteria, the parameters with their dates, and the framework mappings. */
export function ControlDefinitionPanel({ control }: { control: ControlState }) {
  const { verdicts, crosswalk } = control;
  return (
    <div className={s.columns}>
      <div>
        <Panel flush title="Evaluation criteria">
          <Facts
            items={[
              ['Population', control.population],
              ['Pass', verdicts.pass],
              ['Fail', verdicts.fail],
              ['Missing evidence', verdicts.missing_evidence],
            ]}
          />
        </Panel>
        <Settings control={control} />
      </div>
      <div>
        <Panel flush title="Data sources">
          <Facts items={control.sources.map(({ title, remedy }) => [title, remedy] as const)} />
        </Panel>
        <Panel flush title="Framework mappings">
          <ul className={s.standards}>
            {crosswalk.map(({ framework, requirement, title }) => (
              <li key={`${framework} ${requirement}`}>
                <span className="dim">{framework}</span> <b>{requirement}</b> {title}
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </div>
  );
}

function Settings({ control }: { control: ControlState }) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(listControlSettings, { params: { id: control.id } }),
    meta: { quiet: true },
  });
  if (control.parameters.length === 0) {
    return (
      <Panel title="Parameters">
        <p className="dim">This control has no parameters.</p>
      </Panel>
    );
  }
  return (
    <Panel flush title="Parameters">
      {error && !data ? (
        <Failure title="The parameters could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <ol className={s.settings}>
          {data?.map(({ version, setting, from, until, policy }) => (
            <li key={version}>
              <p className={s.version}>
                {version === 0 ? 'Defaults' : `Version ${version}`}
                <span className="dim">
                  {from === null ? (
                    'until a policy changes them'
                  ) : (
                    <>
                      since <TimeAgo at={from} />
                      {until !== null && (
                        <>
                          , until <TimeAgo at={until} />
                        </>
                      )}
                    </>
                  )}
                  {policy && (
                    <>
                      {', by '}
                      <Link className="link" href={`/policies/${policy.id}`}>
                        a policy
                      </Link>
                    </>
                  )}
                </span>
              </p>
              <dl className={s.values}>
                {control.parameters.map(({ name, title }) => (
                  <div key={name}>
                    <dt>{title}</dt>
                    <dd className="num">{settingText(setting[name])}</dd>
                  </div>
                ))}
              </dl>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
