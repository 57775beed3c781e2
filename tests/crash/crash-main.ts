// `npm run test:crash`: CRASHES (200) and SEED from the environment; see docs/survival.md.
import { SingleBar } from 'cli-progress'
import { crashAgainAndAgain } from './crash-run'
import type { CrashFigures } from './crash-run'

const numberFrom = (variable: string, otherwise: number): number => {
  const value = Number(process.env[variable] ?? otherwise)
  if (Number.isInteger(value) && value > 0) return value
  console.error(`${variable} takes a whole number above 0.`)
  process.exit(1)
}

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

const summary = ({ acknowledged, events, starts }: CrashFigures): string => {
  const { placed, paid, cancelled, completed, refunded, askedAgain } = acknowledged
  const promised = `${placed.size} orders, ${paid.size} card payments, ${cancelled.size} cancellations, ${completed.size} completions and ${refunded.size} refunds`
  return `${promised} acknowledged, ${acknowledged.answers} answers, ${askedAgain} requests asked again, ${events} events; start in ${middle(starts)} ms (longest ${Math.max(...starts)} ms)`
}

const main = async () => {
  const crashes = numberFrom('CRASHES', 200)
  const seed = numberFrom('SEED', Math.floor(Math.random() * 2 ** 31) + 1)
  const where = process.env.REDIS_URL ? 'with Redis' : 'embedded'
  const bar = new SingleBar({
    format: `Crashes (${where}, seed ${seed}) {bar} {value} of {total}, {what}`,
    hideCursor: true,
  })
  const variables: Record<string, string> = process.env.REDIS_URL ? { REDIS_URL: process.env.REDIS_URL } : {}
  bar.start(crashes, 0, { what: 'starting' })
  try {
    const onCrash = (done: number, what: string) => bar.update(done, { what })
    const figures = await crashAgainAndAgain({
      crashes,
      seed,
      variables,
      families: 6,
      busyFor: 60,
      thoroughEvery: 25,
      onCrash,
    })
    bar.stop()
    console.log(
      Object.entries(figures.deaths)
        .map(([death, times]) => `${death} ${times}`)
        .join(', '),
    )
    if (process.env.VERBOSE) console.log([...figures.acknowledged.refused])
    console.log(`${crashes} crashes survived (${where}, seed ${seed}): ${summary(figures)}.`)
    process.exit(0)
  } catch (error) {
    bar.stop()
    console.error(`Broken with seed ${seed} (CRASHES=${crashes} SEED=${seed} npm run test:crash):`)
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

void main()
