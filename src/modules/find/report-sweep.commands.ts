import type { SchoolDate } from '#kernel/school-time'
import type { Sweep } from '#platform/module'
import type { FindNeeds } from './family.commands'

type Messaging = FindNeeds['messaging']
type Kind = Parameters<Messaging['report']>[0]

type Report = {
  name: string
  kind: Kind
  /** The day whose report is due; null where none is. */
  dueDay: (clock: { now: Date; zone: string }) => SchoolDate | null
  /** Null where there is nothing to say. */
  letterOn: (day: SchoolDate) => Promise<Parameters<Messaging['report']>[2]>
}

/** Once for each day that is due, whatever crashes: it is noted in the transaction that writes the mails. */
export const reportSweep = (
  { messaging, now, zone }: FindNeeds,
  { name, kind, dueDay, letterOn }: Report,
): Sweep => {
  let done: SchoolDate | null = null
  return {
    name,
    run: async () => {
      const day = dueDay({ now: now(), zone })
      if (day === null || day === done) return
      if ((await messaging.reportedOn(kind)) !== day) {
        const { [kind]: addresses } = await messaging.settings()
        await messaging.report(kind, day, addresses.length === 0 ? null : await letterOn(day))
      }
      done = day
    },
  }
}
