import { describe, expect, it } from 'vitest';
import { inheritable } from './environment.ts';

describe('environment of an image', () => {
  it('The environment of an image holds no secrets and nothing of Electron or npm', () => {
    const given = {
      PATH: '/bin',
      HOME: '/h',
      CL_SOURCE_REGISTRY: 'x',
      LISP_WORKBENCH_TOKEN: 't',
      GITHUB_TOKEN: 't',
      AWS_SECRET_ACCESS_KEY: 's',
      ELECTRON_RUN_AS_NODE: '1',
      npm_config_x: 'y',
      NODE_OPTIONS: '--x',
    };
    expect(inheritable(given)).toEqual({ PATH: '/bin', HOME: '/h', CL_SOURCE_REGISTRY: 'x' });
  });

  it.each([
    'GITHUB_PAT',
    'MYSQL_PWD',
    'SSHPASS',
    'PGPASSWORD',
    'DATABASE_URL',
    'AWS_ACCESS_KEY_ID',
    'AWS_PROFILE',
    'STRIPE_SK',
    'SENTRY_DSN',
    'FOO_PASS',
    'DEPLOY_KEY',
    'DB_URI',
    'SLACK_WEBHOOK',
    'GPG_PASSPHRASE',
  ])('The environment of an image keeps %s from user code', (name) => {
    expect(inheritable({ [name]: 'x', PWD: '/p', KEYBOARD: 'us', SSL_CERT_FILE: '/c', PASSAGE: 'y' })).toEqual({
      PWD: '/p',
      KEYBOARD: 'us',
      SSL_CERT_FILE: '/c',
      PASSAGE: 'y',
    });
  });

  it('The environment of an image keeps an address with a password from user code, whatever its name is', () => {
    expect(inheritable({ CACHE: 'redis://me:hidden@host/0', PROXY: 'http://host:80' })).toEqual({
      PROXY: 'http://host:80',
    });
  });
});
