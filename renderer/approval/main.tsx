/** The page of Review. It has its own origin and its own way to main; no other page can reach either. */
import { createRoot } from 'react-dom/client';
import '../theme/index.css';
import '../ui/drawn-text.css';
import './style/page.css';
import './style/controls.css';
import './style/card.css';
import './style/code.css';
import './style/effect.css';
import './style/lists.css';
import { Review } from './review.tsx';

createRoot(document.getElementById('root')!).render(<Review service={window.approval} />);
