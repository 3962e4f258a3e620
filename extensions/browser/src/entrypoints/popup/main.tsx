import { render } from 'preact';
import { Popup } from '../../ui/Popup.tsx';
import '../../../../../web/src/app/tokens.css';
import '../../ui/style.css';

const root = document.getElementById('root');
if (root) render(<Popup />, root);
