import { Button, Select } from '@mantine/core';
import { architectures, type Download, listDownloads, operatingSystems } from '@sightline/contract/downloads.ts';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask } from '#lib/api.ts';
import { BrandIcon } from '#ui/BrandIcon.tsx';
import { Failure } from '#ui/Failure.tsx';
import s from './Account.module.css';
import {
  type Architecture,
  architectureNames,
  askArchitecture,
  type System,
  systemNames,
  systemOf,
} from './platform.ts';
import { Bones, Section } from './Section.tsx';

const cards = [
  { target: 'vscode', name: 'Visual Studio Code', kind: 'Editor extension' },
  { target: 'chrome', name: 'Chrome', kind: 'Browser extension' },
  { target: 'firefox', name: 'Firefox', kind: 'Browser extension' },
  { target: 'brave', name: 'Brave', kind: 'Browser extension' },
  { target: 'edge', name: 'Edge', kind: 'Browser extension' },
  { target: 'opera', name: 'Opera', kind: 'Browser extension' },
] as const;

/** Cards of the extensions. What this server has no file of says so. */
export function Downloads() {
  const { data, error, refetch } = useQuery({ ...ask(listDownloads, {}), meta: { quiet: true } });
  return (
    <Section id="downloads" title="Get extensions" flush>
      {error && !data ? (
        <Failure title="The downloads could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={3} />
      ) : (
        <>
          <p className={s.quiet}>
            They tell your organization which tools helped to make a change, and send no code. Sign in in them with the
            account you use here.
          </p>
          <ul className={s.cards}>
            {cards.map((card) => (
              <Card key={card.target} {...card} files={data.filter(({ target }) => target === card.target)} />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

type CardProps = (typeof cards)[number] & { files: readonly Download[] };

const Card = ({ target, name, kind, files }: CardProps) => {
  const [newest] = files;
  return (
    <li className={s.card} aria-label={name}>
      <BrandIcon name={target} size={22} />
      <div className={s.cardText}>
        <h3>{name}</h3>
        <p>
          {kind}
          {newest && `, version ${newest.version}`}
        </p>
      </div>
      {!newest ? (
        <p className={s.missing}>This server has no build of it yet.</p>
      ) : files.some(({ system }) => system !== null) ? (
        <ForSystem name={name} files={files.filter(({ version }) => version === newest.version)} />
      ) : (
        <Get name={name} file={newest} />
      )}
    </li>
  );
};

/** The right file for the person's machine, which they may know better than the browser. */
function ForSystem({ name, files }: { name: string; files: readonly Download[] }) {
  const [system, setSystem] = useState<System>(systemOf(navigator.userAgent) ?? 'windows');
  const [architecture, setArchitecture] = useState<Architecture>('x64');
  useEffect(() => void askArchitecture().then(setArchitecture), []);
  const fits = (file: Download) =>
    (file.system ?? system) === system && (file.architecture ?? architecture) === architecture;
  const file = files.find(fits);
  return (
    <div className={s.choice}>
      <Select
        aria-label={`Operating system for ${name}`}
        data={operatingSystems.map((value) => ({ value, label: systemNames[value] }))}
        value={system}
        allowDeselect={false}
        onChange={(value) => value && setSystem(value)}
      />
      <Select
        aria-label={`Chip for ${name}`}
        data={architectures.map((value) => ({ value, label: architectureNames[value] }))}
        value={architecture}
        allowDeselect={false}
        onChange={(value) => value && setArchitecture(value)}
      />
      {file ? (
        <Get name={name} file={file} />
      ) : (
        <p className={s.missing}>
          No build for {systemNames[system]} on {architectureNames[architecture]} yet.
        </p>
      )}
    </div>
  );
}

const Get = ({ name, file }: { name: string; file: Download }) => (
  <Button
    component="a"
    variant="default"
    href={file.url}
    download={file.fileName}
    leftSection={<IconDownload size={15} aria-hidden />}
    title={`SHA-256 ${file.sha256}`}
  >
    Download<span className="vh"> for {name}</span>
  </Button>
);
