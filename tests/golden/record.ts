import { openingEvents } from '#platform/event-store/sealed-events'
import { demoSignIns, fillDemoSchool } from '../../src/app/demo/demo-school'
import { everyEvent } from '../support/every-event'
import { startSchool } from '../support/school'
import { liveGoldenDays } from './golden-days'
import type { GoldenEvent } from './history-file'

/** Of 200 boarding houses and 60 families of the large demonstration: their 10,000 orders would be 7 MB. */
const [houses, payingFamilies] = [20, 6]
const opening = '2026-09-16T10:00:00+02:00'

/** Lives the large demonstration with fewer houses, and some days more; answers its events in the store's order. */
export const recordHistory = async (): Promise<GoldenEvent[]> => {
  const { password } = demoSignIns.superadmin
  const school = await startSchool({
    at: opening,
    variables: { SUPERADMIN_PASSWORD: password, WITHDRAWN_ITEMS: 'hold' },
  })
  try {
    await fillDemoSchool({
      baseUrl: school.url,
      zone: 'Africa/Lusaka',
      size: 'large',
      houses,
      payingFamilies,
      opening: new Date(opening),
      setClock: school.setClock,
      onProgress: () => undefined,
      mails: null,
    })
    await liveGoldenDays(school, password)
    const { eventStore, familyKeys } = school.infrastructure
    const events = await everyEvent(openingEvents(eventStore, familyKeys))
    return events.map(({ stream, revision, id, type, data, metadata }) => {
      return { stream, revision, id, type, data, metadata }
    })
  } finally {
    await school.close()
  }
}
