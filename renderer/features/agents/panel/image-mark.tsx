/** An image in a prompt: its thumbnail, or an icon if no thumbnail could be created. The name is shown beside it. */
import { Image } from 'lucide-react';
import styles from './agent.module.css';

export function ImageMark({ name, thumbnail }: { name: string; thumbnail: string }) {
  // The contract allows only image data as a thumbnail, never another address.
  if (thumbnail === '') return <Image className="icon-tiny" role="img" aria-label={`Thumbnail of ${name}`} />;
  return <img className={styles.thumbnail} src={thumbnail} alt={`Thumbnail of ${name}`} draggable={false} />;
}
