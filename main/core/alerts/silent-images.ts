/** Alerts for images that do not answer, with two actions: interrupt the running code, or restart the image. */
import type { Session as SessionView } from '#contract/image/session.ts';
import type { Alerts, AlertAction } from './alerts.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';

/**
 * How long an image must be silent, in milliseconds, before an alert is raised. A garbage collection rarely takes this long. Shorter
 * silences are only visible in the image's state.
 */
const LONG_MS = 10_000;

/** Starts to raise an alert for each silent image. Removes the alert when the image responds or no longer exists. */
export function raiseSilenceAlerts(sessions: Sessions, alerts: Alerts): void {
  const follow = (session: Session): void => {
    let told: SessionView['silence'] = null;
    let later: NodeJS.Timeout | undefined;
    session.events.on('changed', () => {
      const { silence } = session.view();
      if (silence === told) return;
      told = silence;
      clearTimeout(later);
      if (silence === null) alerts.set(alertOf(session), null);
      else if (silence.stopped) raise(session, alerts);
      else later = setTimeout(() => raise(session, alerts), silence.since + LONG_MS - Date.now()).unref();
    });
  };
  for (const session of sessions.all) follow(session);
  sessions.events.on('opened', follow);
}

function alertOf({ id }: Session): string {
  return `silent ${id}`;
}

function raise(session: Session, alerts: Alerts): void {
  const { name, running, silence, target } = session.view();
  if (!silence) return;
  const actions: Record<string, AlertAction> = {
    ...(running ? { interrupt: { title: 'Interrupt', run: () => session.interrupt(running.evaluation) } } : {}),
    restart: { title: 'Restart', run: () => session.restart() },
  };
  alerts.set(
    alertOf(session),
    silence.stopped
      ? `The image ${name} does not answer: a signal has stopped its process. Send it SIGCONT to continue, or restart it; a restart loses everything that is only in the image.`
      : `The image ${name} does not answer. It may be collecting garbage or running code that cannot be interrupted${target === null ? '' : `, or the connection to the target ${target} hangs`}. It is restarted after 30 seconds.`,
    actions,
  );
}
