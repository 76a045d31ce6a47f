/** The alerts, one line each. An alert is shown as long as its cause lasts, for example while typed text cannot be stored. */
import { TriangleAlert } from 'lucide-react';
import { call } from '../../base/bridge.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { orNotice } from '../../base/notices/notices.tsx';
import { Box, Row, Text } from '../../ui/layout.tsx';
import styles from './alert-bar.module.css';

export function AlertBar() {
  const alerts = useMirror((state) => state.alerts);
  if (alerts.length === 0) return null;
  return (
    <Box as="section" fixed scroll className={styles.alerts} aria-label="Alerts" role="alert" data-bar>
      {alerts.map(({ id, text, actions }) => (
        <Row key={id} tone={1} surface={1} edge="bottom" className={styles.alertBar}>
          <TriangleAlert className="icon" aria-hidden />
          <Text as="p" grow breaks>
            {text}
          </Text>
          {actions.map((action) => (
            <Button
              key={action.id}
              size="small"
              onPress={() => void orNotice(call('alerts.act', { id, action: action.id }))}
            >
              {action.title}
            </Button>
          ))}
        </Row>
      ))}
    </Box>
  );
}
