// `npm run drill`: commands killed at random moments beside a working school. KILLS (6 of each) and SEED from the
// environment; ends by itself after 15 minutes at most. See docs/survival.md.
import { drill, type Drill } from './drills'
import { numberFrom } from './stage'

const limitMs = 15 * 60_000
setTimeout(() => {
  console.error('The drill was not over after 15 minutes.')
  process.exit(1)
}, limitMs).unref()

const row = ({ what, killed, maxAwayMs, note }: Drill) =>
  `| ${what} | ${killed} | ${maxAwayMs === null ? '' : `${(maxAwayMs / 1_000).toFixed(1)} s`} | ${note} |`

const seed = numberFrom('SEED', Math.floor(Math.random() * 2 ** 31))
const kills = numberFrom('KILLS', 6)
console.log(`Seed ${seed}\n\n| Killed | times | longest not ready | afterwards |\n|---|---|---|---|`)
drill({ kills, seed, onDrill: (done) => console.log(row(done)) }).then(
  ({ acknowledged, events }) => {
    const { placed, paid, answers, askedAgain } = acknowledged
    console.log(
      `\n${placed.size} orders and ${paid.size} card payments acknowledged, ${answers} answers, ${askedAgain} requests asked again, ${events} events: all there once, the money balances.`,
    )
    process.exit(0)
  },
  (error: unknown) => {
    console.error(`Broken with seed ${seed} (KILLS=${kills} SEED=${seed} npm run drill):`, error)
    process.exit(1)
  },
)
