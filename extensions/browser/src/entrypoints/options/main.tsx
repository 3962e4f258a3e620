import { render } from 'preact';
import { Options } from '../../ui/Options.tsx';
import '../../../../../web/src/app/tokens.css';
import '../../ui/style.css';

const root = document.getElementById('root');
if (root) render(<Options />, root);
