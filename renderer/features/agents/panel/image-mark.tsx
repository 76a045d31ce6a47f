/** An image that goes, or went, along with a prompt: its thumbnail, or a mark where none could be made. The name stands beside it. */
import { Image } from 'lucide-react';
import styles from './agent.module.css';

export function ImageMark({ name, thumbnail }: { name: string; thumbnail: string }) {
  // The contract lets only data of pictures be a thumbnail, never another address.
  if (thumbnail === '') return <Image className="icon-tiny" role="img" aria-label={`Thumbnail of ${name}`} />;
  return <img className={styles.thumbnail} src={thumbnail} alt={`Thumbnail of ${name}`} draggable={false} />;
}
