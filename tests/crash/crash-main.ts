// `npm run test:crash`: embedded, then with Redis, then with its events in EventStoreDB. CRASHES (200 in each) and SEED
// from the environment; see docs/survival.md.
import { SingleBar } from 'cli-progress'
import { givenRedis, redisInstalled, startRedis } from '../support/redis'
import { crashAgainAndAgain, type CrashFigures } from './crash-run'
import { numberFrom, onEventStore } from './stage'

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

const summary = ({ acknowledged, events, weeks, starts }: CrashFigures): string => {
  const { placed, paid, cancelled, completed, refunded, askedAgain } = acknowledged
  const promised = `${placed.size} orders, ${paid.size} card payments, ${cancelled.size} cancellations, ${completed.size} completions and ${refunded.size} refunds`
  const plans = Object.entries(weeks)
    .map(([state, times]) => `${times} ${state}`)
    .join(', ')
  return `${promised} acknowledged, weeks of plans ${plans}, ${acknowledged.answers} answers, ${askedAgain} requests asked again, ${events} events; start in ${middle(starts)} ms (longest ${Math.max(...starts)} ms)`
}

type Trial = { where: string; variables: Record<string, string> }

const run = async ({ where, variables }: Trial, crashes: number, seed: number): Promise<void> => {
  const bar = new SingleBar({
    format: `Crashes (${where}, seed ${seed}) {bar} {value} of {total}, {what}`,
    hideCursor: true,
  })
  bar.start(crashes, 0, { what: 'starting' })
  try {
    const onCrash = (done: number, what: string) => bar.update(done, { what })
    const scale = { families: 6, busyFor: 60, thoroughEvery: 25 }
    const figures = await crashAgainAndAgain({ crashes, seed, variables, ...scale, onCrash })
    bar.stop()
    console.log(
      Object.entries(figures.deaths)
        .map(([death, times]) => `${death} ${times}`)
        .join(', '),
    )
    if (process.env.VERBOSE) console.log([...figures.acknowledged.refused])
    console.log(`${crashes} crashes survived (${where}, seed ${seed}): ${summary(figures)}.`)
  } catch (error) {
    bar.stop()
    console.error(`Broken ${where} with seed ${seed} (CRASHES=${crashes} SEED=${seed} npm run test:crash):`)
    throw error
  }
}

const withRedis = async (crashes: number, seed: number): Promise<void> => {
  if (givenRedis === '' && !redisInstalled())
    return console.log('Not with Redis: there is no redis-server here and REDIS_TEST_URL is not set.')
  const own = givenRedis === '' ? await startRedis() : null
  try {
    await run({ where: 'with Redis', variables: { REDIS_URL: own?.url ?? givenRedis } }, crashes, seed)
  } finally {
    await own?.kill()
  }
}

const withEventStore = (crashes: number, seed: number): Promise<void> =>
  onEventStore((where, EVENTSTORE_URL) => run({ where, variables: { EVENTSTORE_URL } }, crashes, seed))

const main = async () => {
  const crashes = numberFrom('CRASHES', 200)
  const seed = numberFrom('SEED', Math.floor(Math.random() * 2 ** 31) + 1)
  try {
    await run({ where: 'embedded', variables: {} }, crashes, seed)
    await withRedis(crashes, seed)
    await withEventStore(crashes, seed)
    process.exit(0)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

void main()
