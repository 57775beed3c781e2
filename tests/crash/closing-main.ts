// `npm run drill:closing`: a day is closed while 50 families order for it, 20 of them by card, and the program is killed
// three times; with either remedy, embedded and with its events in EventStoreDB. ROUNDS (2 of each) and SEED from the
// environment; see docs/survival.md.
import type { Remedy } from '#kernel/money'
import { closeWhileFamiliesOrder } from './closing-drill'
import { numberFrom, onEventStore } from './stage'

const scale = { families: 50, cards: 20, kills: 3 }

const close = async (where: string, remedy: Remedy, seed: number, variables: Record<string, string>) => {
  const begun = Date.now()
  const figures = await closeWhileFamiliesOrder({ ...scale, remedy, seed, variables }).catch(
    (error: unknown) => {
      console.error(`Broken ${where} with seed ${seed} (ROUNDS=1 SEED=${seed} npm run drill:closing):`)
      throw error
    },
  )
  const { ordered, refused, paid, events } = figures
  const took = Math.round((Date.now() - begun) / 1_000)
  console.log(`| ${where} | ${remedy} | ${ordered} | ${refused} | ${paid} | ${events} | ${took} s |`)
}

const main = async (): Promise<void> => {
  const rounds = numberFrom('ROUNDS', 2)
  const seed = numberFrom('SEED', Math.floor(Math.random() * 2 ** 31) + 1)
  console.log(
    `Seed ${seed}\n\n| Events | remedy | ordered and cancelled | refused | paid by card | events | took |`,
  )
  console.log('|---|---|---|---|---|---|---|')
  for (let done = 0; done < rounds; done += 1)
    for (const remedy of ['refund', 'credit'] as const) {
      await close('embedded', remedy, seed + done, {})
      await onEventStore((where, EVENTSTORE_URL) => close(where, remedy, seed + done, { EVENTSTORE_URL }))
    }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
