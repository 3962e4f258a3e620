import s from './ToastOffer.module.css';

/** What a toast says, and one thing that can be done about it. */
export const ToastOffer = ({ message, label, onTake }: { message: string; label: string; onTake: () => void }) => (
  <span className={s.offer}>
    <span>{message}</span>
    <button type="button" className={s.take} onClick={onTake}>
      {label}
    </button>
  </span>
);
