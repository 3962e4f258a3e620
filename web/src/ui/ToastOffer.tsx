import s from './ToastOffer.module.css';

/** A toast message with one action. */
export const ToastOffer = ({ message, label, onTake }: { message: string; label: string; onTake: () => void }) => (
  <span className={s.offer}>
    <span>{message}</span>
    <button type="button" className={s.take} onClick={onTake}>
      {label}
    </button>
  </span>
);
