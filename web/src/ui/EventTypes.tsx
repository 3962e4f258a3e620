import { Checkbox, Radio } from '@mantine/core';
import { notificationTypeDefinition, notificationTypeNames } from '@sightline/contract/delivery/notification-types.ts';
import s from './EventTypes.module.css';

interface EventTypesProps {
  /** Null for every type. */
  types: readonly string[] | null;
  onChange: (types: string[] | null) => void;
}

/** Selects all event types, or some of them by subject. */
export function EventTypes({ types, onChange }: EventTypesProps) {
  return (
    <Radio.Group
      label="Events"
      value={types === null ? 'all' : 'some'}
      onChange={(value) => onChange(value === 'all' ? null : [])}
    >
      <div className={s.choice}>
        <Radio value="all" label="Every event" description="Includes event types of later versions." />
        <Radio value="some" label="Selected events" />
        {types !== null && <Chosen types={types} onChange={onChange} />}
      </div>
    </Radio.Group>
  );
}

const Chosen = ({ types, onChange }: { types: readonly string[]; onChange: (types: string[]) => void }) => (
  <Checkbox.Group value={[...types]} onChange={onChange} aria-label="Events to send">
    <div className={s.types}>
      {groups.map(([group, names]) => (
        <fieldset key={group} className={s.group}>
          <legend>{group}</legend>
          {names.map((name) => (
            <Checkbox
              key={name}
              value={name}
              label={
                <>
                  {notificationTypeDefinition(name).label} <span className={s.typeName}>{name}</span>
                </>
              }
            />
          ))}
        </fieldset>
      ))}
    </div>
  </Checkbox.Group>
);

const groups = [...Map.groupBy(notificationTypeNames, (name) => notificationTypeDefinition(name).group)];
