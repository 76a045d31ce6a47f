/** Random faults in a program that several clients use. After each fault, checks that everything is in order. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkChain } from '#core/activity/audit/chain.ts';
import { auditNames } from '#core/activity/audit/files.ts';
import { connectOverHttp, startOwnImage, type Agent, type Answer, type OwnImage } from './clients.ts';
import { clientFaults } from './faults/clients.ts';
import { codeFaults } from './faults/code.ts';
import { descriptorFaults } from './faults/descriptors.ts';
import { until, type Fault, type Trial } from './faults/fault.ts';
import { imageFaults } from './faults/image.ts';
import { systemFaults } from './faults/system.ts';
import { openPlaceWithDisk, type PlaceWithDisk } from './place.ts';
import { descriptorsOf, processesOf, temporaryFiles } from './processes.ts';
import { randomFrom, type Random } from './random.ts';
import { kill, startServe, type Served } from './served.ts';
import { decideByName } from './tasks.ts';

export const FAULTS: readonly Fault[] = [
  ...imageFaults,
  ...codeFaults,
  ...descriptorFaults,
  ...clientFaults,
  ...systemFaults,
];

export interface FaultResult {
  readonly name: string;
  /** Milliseconds until everything was in order. */
  readonly tookMs: number;
  /** The failed check; null if everything was in order. */
  readonly problem: string | null;
  /** The start of the received messages. */
  readonly heard: string;
}

/** Picks `count` faults. Cycles through the families, and picks a random fault of each. */
export function pickFaults(count: number, random: Random): Fault[] {
  const families = Map.groupBy(FAULTS, ({ family }) => family);
  const picked: Fault[] = [];
  while (picked.length < count)
    for (const family of random.shuffled([...families.keys()])) picked.push(random.pick(families.get(family)!));
  return picked.slice(0, count);
}

export interface FaultRunOptions {
  readonly faults: readonly Fault[];
  readonly seed: number;
  readonly cache: string | null;
  readonly tell: (result: FaultResult, index: number) => void;
}

/** The number by which the count of the program's descriptors may vary as connections open and close. */
const WAVERING = 8;

export async function runFaults({ faults, seed, cache, tell }: FaultRunOptions): Promise<FaultResult[]> {
  await using scope = new AsyncDisposableStack();
  const world = await FaultWorld.open(scope, await openPlaceWithDisk(scope, cache), randomFrom(seed));
  const results: FaultResult[] = [];
  for (const [index, fault] of faults.entries()) {
    const result = await world.meet(fault, index + 1);
    results.push(result);
    tell(result, index);
    if (result.problem !== null) await world.beginAnew();
  }
  return results;
}

class FaultWorld {
  readonly #scope: AsyncDisposableStack;
  readonly #place: PlaceWithDisk;
  readonly #random: Random;
  #served!: Served;
  #witness!: Agent;
  #neighbour!: OwnImage;
  #mine = 0;
  #restarted = false;
  #heard: string[] = [];
  #descriptors = 0;

  private constructor(scope: AsyncDisposableStack, place: PlaceWithDisk, random: Random) {
    this.#scope = scope;
    this.#place = place;
    this.#random = random;
  }

  static async open(scope: AsyncDisposableStack, place: PlaceWithDisk, random: Random): Promise<FaultWorld> {
    const world = new FaultWorld(scope, place, random);
    await writeFile(path.join(place.project, 'kept.txt'), 'kept\n');
    await world.#start();
    await world.#startNeighbour();
    scope.defer(() => world.#neighbour.close()); // must be closed before its home is deleted
    return world;
  }

  /** Ends the program and starts it again, so that a fault with lasting damage does not make all later faults fail. */
  async beginAnew(): Promise<void> {
    this.#served.signal('SIGKILL');
    await this.#served.ended;
    kill(this.#neighbour.pid, 'SIGKILL');
    await this.#neighbour.close().catch(() => {});
    await this.#start();
    await this.#startNeighbour();
  }

  async meet(fault: Fault, number: number): Promise<FaultResult> {
    const begun = performance.now();
    this.#heard = [];
    this.#restarted = false;
    let problem: string | null = null;
    try {
      const agent = await this.#connect(`agent-${number}`);
      await this.#prepare(number);
      const trial = this.#trial(agent);
      this.#heard.push(await fault.inject(trial));
      await fault.wayBack?.(trial);
      await this.#look(fault, number);
      await agent.drop();
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      if (this.#served.hasEnded()) problem += `\nserve has ended: ${this.#served.said().slice(-1000)}`;
    }
    const heard = this.#heard.join('\n').slice(0, 400);
    return { name: `${fault.family}: ${fault.name}`, tookMs: Math.round(performance.now() - begun), problem, heard };
  }

  async #start(): Promise<void> {
    this.#served = await startServe(this.#scope, this.#place, {
      options: ['--effects', 'allow'],
      decide: decideByName,
    });
    this.#witness = await this.#connect('witness');
    await this.#witness.evaluate('(+ 1 2)');
    this.#descriptors = descriptorsOf(this.#served.pid).length;
  }

  async #startNeighbour(): Promise<void> {
    this.#neighbour = await startOwnImage(this.#place, 'neighbour');
    this.#mine = this.#random.integer(1_000_000);
    await this.#neighbour.evaluate(`(defparameter *mine* ${this.#mine})`);
  }

  /** Connects a client that records the messages that it receives. */
  async #connect(name: string): Promise<Agent> {
    const agent = await connectOverHttp(this.#served, name);
    const call: Agent['call'] = async (...args) => {
      const answer: Answer = await agent.call(...args);
      this.#heard.push(answer.text, ...(answer.notice === null ? [] : [answer.notice]));
      return answer;
    };
    return { ...agent, call, evaluate: async (code, signal) => (await call('evaluate-lisp', { code }, signal)).text };
  }

  async #prepare(number: number): Promise<void> {
    const text = await this.#witness.evaluate(`(defparameter *kept* ${number}) (defun kept () *kept*)`);
    if (text !== '=> KEPT') throw new Error(`Before the fault the image answered: ${text}`);
    this.#heard = [];
  }

  #trial(agent: Agent): Trial {
    return {
      place: this.#place,
      served: () => this.#served,
      agent,
      neighbour: () => this.#neighbour,
      random: this.#random,
      imagePid: () => this.#imagePid(),
      copies: async () => {
        const live = await this.#imagePid();
        return this.#lisps(live).filter((pid) => pid !== live);
      },
      begin: async (code) => {
        const answer = agent.evaluate(code);
        answer.catch(() => {}); // awaited by the caller
        await until(
          () => `${code} does not begin.`,
          async () => {
            const { text } = await this.#witness.call('list-sessions');
            return /running/.test(text);
          },
        );
        return { answer };
      },
      restart: async () => {
        await this.#served.ended;
        this.#restarted = true;
        await this.#start();
      },
      replaceNeighbour: async () => {
        const { pid } = this.#neighbour;
        await until(
          () => `mcp (${pid}) does not end.`,
          () => !processesOf(this.#place).some((each) => each.pid === pid && each.state !== 'Z'),
        );
        await this.#neighbour.close().catch(() => {});
        await this.#startNeighbour();
      },
    };
  }

  async #imagePid(): Promise<number> {
    const text = await this.#witness.evaluate('(sb-unix:unix-getpid)');
    const pid = Number(/^=> (\d+)$/.exec(text)?.[1]);
    if (!pid) throw new Error(`The image does not tell its process: ${text}`);
    return pid;
  }

  /** Returns the processes of the image and of its checkpoints; `live` is the image's process. */
  #lisps(live: number): number[] {
    const all = processesOf(this.#place);
    const group = all.find(({ pid }) => pid === live)?.group;
    return all.filter((each) => each.isLisp && each.group === group && each.state !== 'Z').map(({ pid }) => pid);
  }

  /** Checks that everything is in order. @throws Error that names the failed check. */
  async #look(fault: Fault, number: number): Promise<void> {
    const next = await this.#witness.evaluate('(+ 20 22)');
    if (next !== '=> 42') throw new Error(`The next evaluation was answered with: ${next}`);
    const heard = this.#heard.join('\n');
    if (fault.told && !fault.told.test(heard))
      throw new Error(`Nothing was said of it (${fault.told}): ${heard.slice(0, 1000)}`);
    await this.#lookAtImage(number);
    const mine = await this.#neighbour.evaluate('*mine*');
    if (mine !== `=> ${this.#mine}`) throw new Error(`The image of another client answered: ${mine}`);
    const kept = await readFile(path.join(this.#place.project, 'kept.txt'), 'utf8');
    if (kept !== 'kept\n') throw new Error(`A file of the project is not as it was: ${kept}`);
    await this.#lookAtAudit(fault, number);
    await this.#lookAtLeft();
  }

  async #lookAtImage(number: number): Promise<void> {
    const text = await this.#witness.evaluate("(and (boundp '*kept*) (fboundp 'kept) (kept))");
    if (text === `=> ${number}` || this.#restarted) return;
    const heard = this.#heard.join('\n');
    if (
      !/fresh image|Reset|reset|Back at the checkpoint|checkpoint; everything since then is undone|It is a new image/.test(
        heard,
      )
    )
      throw new Error(`The image lost what it had and said nothing of it: ${text}. It said: ${heard.slice(0, 1000)}`);
  }

  async #lookAtAudit(fault: Fault, number: number): Promise<void> {
    const folder = path.join(this.#place.home, 'state', 'audit');
    const mark = `(list :mark ${number})`;
    await this.#witness.evaluate(mark);
    await until(
      () => `The audit has no ${mark}.`,
      async () => {
        const texts = await Promise.all(auditNames(folder).map((name) => readFile(path.join(folder, name), 'utf8')));
        return texts.some((text) => text.includes(mark));
      },
    );
    const anchors = path.join(this.#place.home, 'state', 'audit-anchors');
    const { findings } = await checkChain({ folder, anchors }, async () => {});
    if (findings.length > 0 && !fault.gap) throw new Error(`The audit is not whole: ${findings.join(' ')}`);
  }

  async #lookAtLeft(): Promise<void> {
    const strays = async (): Promise<string[]> => {
      const images = [await this.#imagePid(), await this.#pidOf(this.#neighbour)].flatMap((pid) => this.#lisps(pid));
      return processesOf(this.#place)
        .filter(({ pid, isLisp, state, command }) =>
          isLisp ? !images.includes(pid) : state !== 'Z' && !isOurs(command),
        )
        .map(({ pid, state, command }) => `${pid} ${state} ${command.slice(0, 80)}`);
    };
    let left: string[] = [];
    await until(
      () => `Processes were left: ${left.join('; ')}`,
      async () => (left = await strays()).length === 0,
    );
    await until(
      () => `Descriptors were left open: ${this.#descriptors} before, ${descriptorsOf(this.#served.pid).join(' ')}`,
      () => descriptorsOf(this.#served.pid).length <= this.#descriptors + WAVERING,
    );
    await until(
      () => `Temporary files were left: ${left.join(', ')}`,
      async () => (left = [...temporaryFiles(this.#place), ...(await this.#unfinished())]).length === 0,
    );
  }

  async #pidOf(agent: Agent): Promise<number> {
    return Number(/(\d+)$/.exec(await agent.evaluate('(sb-unix:unix-getpid)'))?.[1]);
  }

  /** Returns temporary files left in the home that were meant to replace other files. */
  async #unfinished(): Promise<string[]> {
    const { home } = this.#place;
    await mkdir(home, { recursive: true });
    return (await readdir(home, { recursive: true })).filter((name) => /\.tmp$|unfinished/.test(name));
  }
}

/** True for the command of a program that the run itself has started. */
function isOurs(command: string): boolean {
  return /main\/cli\.ts/.test(command);
}
