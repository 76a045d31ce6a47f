/**
 * Shows desktop notices about waiting requests while the window does not have the focus. Removes the notices when the requests are settled.
 */
import { app, type BrowserWindow, Notification } from 'electron';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import type { Workbench } from '#core/workbench.ts';
import { type Notices, noticesAfter } from './notices.ts';
import type { Review } from '../calls/review.ts';

/** Shows notices while the window exists. A click on a notice brings the window to the front and opens Review. */
export function notifyOfRequests(window: BrowserWindow, workbench: Workbench, review: Review): void {
  const { approvals } = workbench;
  const shown = new Map<string, Notification>();
  let notices: Notices = new Map();
  let known = new Set<string>();

  const open = (): void => {
    if (window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    review.focus();
  };
  const become = (next: Notices): void => {
    for (const [client, { newest }] of notices) if (next.get(client)?.newest !== newest) close(client);
    for (const [client, notice] of next) {
      if (notices.get(client)?.newest === notice.newest) continue;
      const notification = new Notification({ title: notice.title, body: notice.body, silent: true });
      notification.on('click', open);
      shown.set(client, notification);
      notification.show();
    }
    notices = next;
  };
  const close = (client: string): void => {
    shown.get(client)?.close();
    shown.delete(client);
  };
  const changed = (waiting: readonly ApprovalCard[]): void => {
    app.setBadgeCount(waiting.length); // returns false on a desktop that has no badges
    const looked = window.isDestroyed() || window.isFocused();
    const arrived = looked ? [] : waiting.filter(({ id }) => !known.has(id)).map(({ id }) => id);
    known = new Set(waiting.map(({ id }) => id));
    if (Notification.isSupported()) become(noticesAfter(notices, waiting, new Set(arrived)));
  };
  approvals.events.on('changed', ({ waiting }) => changed(waiting));
  window.on('focus', () => become(new Map()));
}
