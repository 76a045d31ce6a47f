/** The environment variables that an image inherits: all except those that look like secrets. */

const SECRET =
  /TOKEN|SECRET|PASSW|PASSPHRASE|API_?KEY|PRIVATE|CREDENTIAL|COOKIE|SESSION_?KEY|WEBHOOK|(?:^|_)(?:KEY|SK|PAT|PASS|PWD|PW|PIN|AUTH|DSN|SALT|JWT|BEARER|OTP|SIGNATURE)(?:_(?:ID|FILE|BASE64|B64|\d+))?$|(?:SSH|MYSQL_|PG)PASS|_PWD$|SSHPASS|(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|MYSQL|AMQP|RABBITMQ|BROKER|DB|ELASTIC\w*)_?(?:URL|URI|DSN)|CONNECTION_?STRING|^(?:AWS|AZURE|GOOGLE|GCP|GCLOUD|GITHUB|GITLAB|STRIPE|SENTRY|TWILIO|SLACK|OPENAI|ANTHROPIC|HF|HEROKU|CLOUDFLARE|DIGITALOCEAN|DOCKER|NPM|PYPI|VAULT|KUBE\w*)_/i;
/** The variables for a shell's current and previous folder, which only look like secrets. */
const NO_SECRET = /^(?:OLD)?PWD$/;
/** `scheme://user:password@host`. */
const SECRET_IN_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

/** Returns the environment that user code may see, without secrets, variables of Electron, and variables from this program's start. */
export function inheritable(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name, value]) =>
      (!SECRET.test(name) || NO_SECRET.test(name)) &&
      !SECRET_IN_ADDRESS.test(value ?? '') &&
      !/^(ELECTRON_|npm_|NODE_OPTIONS$|LISP_WORKBENCH_CORE$|INIT_CWD$)/.test(name),
  );
  return Object.fromEntries(kept);
}
