/** The Review page. It has its own origin and its own channel to the main process; no other page can reach either. */
import { createRoot } from 'react-dom/client';
import '../theme/index.css';
import './page.css';
import { Review } from './review.tsx';

createRoot(document.getElementById('root')!).render(<Review service={window.approval} />);
