import { Modal } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import s from './Dialog.module.css';
import { useReturnedFocus } from './useReturnedFocus.ts';

interface DialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, the primary one last. */
  actions?: ReactNode;
  /** Pixels. */
  width?: number;
}

/** A modal with focus trap and focus return. Composed from parts because Mantine's header is a second page banner. */
export function Dialog({ title, opened, onClose, children, actions, width = 440 }: DialogProps) {
  useReturnedFocus(opened);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={width}
      centered
      classNames={classNames}
      transitionProps={{ transition: 'fade', duration: 120 }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={s.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" icon={<IconX size={16} aria-hidden />} />
        </div>
        <Modal.Body>{children}</Modal.Body>
        {actions && <div className={s.actions}>{actions}</div>}
      </Modal.Content>
    </Modal.Root>
  );
}

// A className on Modal.Content would also apply to the full-screen frame around it.
const classNames = { content: s.content ?? '', title: s.title ?? '', close: s.close ?? '', body: s.body ?? '' };
