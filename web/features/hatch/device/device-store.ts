import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { ServedLunch, SentMark, Serving, MarkResult } from '#contracts/serving'
import { forgetPrivateData, privateDatabase } from '../../../lib/device-storage'

/** Whose list or mark it is: the administrator who was signed in, by username. */
export type HatchUser = { id: number; name: string }

/** `readAt` in ms of the device's clock, with the school's clock. */
export type ListSource = { user: HatchUser; readAt: number; timeZone: string; aheadMs: number }

/** The list of the day as this device keeps it. */
export type DeviceList = Serving & { source: ListSource }

/** Holds no child's name. */
export type WaitingMark = { user: HatchUser; mark: SentMark }

/** An answer that contradicts the mark, kept until dismissed. */
export type MarkNotice = Omit<MarkResult, 'result'> & {
  result: Exclude<MarkResult['result'], 'kept'>
  userId: number
  orderId: string
  kind: SentMark['kind']
  /** Null without server words. */
  message: string | null
}

/** Since the server last confirmed it. */
const listKeptMs = 36 * 60 * 60_000

/** `now` in ms; also when the device's clock was set back. */
export const isTooOld = ({ readAt }: ListSource, now: number): boolean => Math.abs(now - readAt) > listKeptMs

interface ListSchema extends DBSchema {
  serving: { key: 'today'; value: Serving }
  source: { key: 'today'; value: ListSource }
}
interface MarkSchema extends DBSchema {
  waiting: { key: number; value: WaitingMark & { number?: number } }
  told: { key: string; value: MarkNotice }
}

/** One connection per act: an open database could not be deleted. */
const withList = async <Result>(act: (db: IDBPDatabase<ListSchema>) => Promise<Result>): Promise<Result> =>
  acting(
    await inTime(
      openDB<ListSchema>(privateDatabase, 1, {
        upgrade: (made) => {
          made.createObjectStore('serving')
          made.createObjectStore('source')
        },
      }),
    ),
    act,
  )

const withMarks = async <Result>(act: (db: IDBPDatabase<MarkSchema>) => Promise<Result>): Promise<Result> =>
  acting(
    await inTime(
      openDB<MarkSchema>('tuckshop-hatch-marks', 1, {
        upgrade: (made) => {
          made.createObjectStore('waiting', { keyPath: 'number', autoIncrement: true })
          made.createObjectStore('told', { keyPath: 'markId' })
        },
      }),
    ),
    act,
  )

const acting = async <Schema extends DBSchema, Result>(
  db: IDBPDatabase<Schema>,
  act: (db: IDBPDatabase<Schema>) => Promise<Result>,
): Promise<Result> => {
  try {
    return await act(db)
  } finally {
    db.close()
  }
}

const maxOpeningMs = 3_000

/** A frozen tab with an older database can block the request for ever. */
const inTime = <Schema extends DBSchema>(opening: Promise<IDBPDatabase<Schema>>) =>
  new Promise<IDBPDatabase<Schema>>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('The device does not open its store'))
      opening.then((late) => late.close()).catch(() => undefined)
    }, maxOpeningMs)
    opening.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Keeps the list in place of any other. */
export const keepList = ({ source, ...serving }: DeviceList): Promise<void> =>
  withList(async (db) => {
    const write = db.transaction(['serving', 'source'], 'readwrite')
    await Promise.all([
      write.objectStore('serving').put(serving, 'today'),
      write.objectStore('source').put(source, 'today'),
      write.done,
    ])
  })

/** After a 304. */
export const confirmList = (source: ListSource): Promise<void> =>
  withList(async (db) => {
    const write = db.transaction('source', 'readwrite')
    const kept = await write.store.get('today')
    if (kept?.user.id === source.user.id) await write.store.put(source, 'today')
    await write.done
  })

/**
 * The list for this user at `now` (ms). Removes one that is too old, another user's, or before `today` (null if the server has not told the
 * date).
 */
export const listOnDevice = (userId: number, now: number, today: string | null): Promise<DeviceList | null> =>
  withList(async (db) => {
    const write = db.transaction(['serving', 'source'], 'readwrite')
    const source = await write.objectStore('source').get('today')
    const serving = await write.objectStore('serving').get('today')
    const isEarlier = serving !== undefined && today !== null && serving.date < today
    const isKept = source?.user.id === userId && !isTooOld(source, now) && !isEarlier
    if (!isKept)
      await Promise.all([write.objectStore('serving').clear(), write.objectStore('source').clear()])
    await write.done
    return isKept && serving ? { ...serving, source } : null
  })

/** Removes an expired list. `now` in ms. */
export const hatchUserOnDevice = async (now: number = Date.now()): Promise<HatchUser | null> => {
  const source = await withList((db) => db.get('source', 'today')).catch(() => null)
  if (!source) return null
  if (!isTooOld(source, now)) return source.user
  await forgetPrivateData()
  return null
}

/** Applies server answers. */
export const changeLunches = (userId: number, change: (lunch: ServedLunch) => ServedLunch): Promise<void> =>
  withList(async (db) => {
    const write = db.transaction(['serving', 'source'], 'readwrite')
    const source = await write.objectStore('source').get('today')
    const serving = await write.objectStore('serving').get('today')
    if (serving && source?.user.id === userId)
      await write.objectStore('serving').put({ ...serving, lunches: serving.lunches.map(change) }, 'today')
    await write.done
  })

/** Marks not yet written, and those without room, which closing the page loses. */
const inMemory: { waiting: (WaitingMark & { hasNoRoom?: true })[]; told: MarkNotice[] } = {
  waiting: [],
  told: [],
}

/** Appends a mark and resolves when it is on disk, or in memory if there is no room; `readQueue` sees it at once. */
export const queueMark = async (made: WaitingMark): Promise<void> => {
  const held: (typeof inMemory.waiting)[number] = { ...made }
  // Later marks stay behind it.
  if (inMemory.waiting.some(({ hasNoRoom }) => hasNoRoom)) held.hasNoRoom = true
  inMemory.waiting.push(held)
  if (held.hasNoRoom) return
  try {
    await withMarks(async (db) => {
      const write = db.transaction('waiting', 'readwrite', { durability: 'strict' })
      await Promise.all([write.store.add(made), write.done])
    })
    inMemory.waiting = inMemory.waiting.filter((one) => one !== held)
  } catch {
    held.hasNoRoom = true
  }
}

export type Queue = {
  /** Of all users, in order. */
  waiting: WaitingMark[]
  told: MarkNotice[]
  /** How many a closed page would lose. */
  unkept: number
}

export const readQueue = async (): Promise<Queue> => {
  const before = [...inMemory.waiting]
  const kept = await withMarks(async (db) => ({
    waiting: await db.getAll('waiting'),
    told: await db.getAll('told'),
  })).catch(() => ({ waiting: [], told: [] }))
  const written = new Set(kept.waiting.map(({ mark }) => mark.markId))
  const held = new Set([...before, ...inMemory.waiting])
  const behind = [...held].filter(({ mark }) => !written.has(mark.markId))
  return {
    waiting: [...kept.waiting, ...behind].map(({ user, mark }) => ({ user, mark })),
    told: [...kept.told, ...inMemory.told],
    unkept: behind.filter(({ hasNoRoom }) => hasNoRoom).length,
  }
}

/** Removes answered marks and keeps notices about them. */
export const settleMarks = async (markIds: readonly string[], told: readonly MarkNotice[]): Promise<void> => {
  const answered = new Set(markIds)
  inMemory.waiting = inMemory.waiting.filter(({ mark }) => !answered.has(mark.markId))
  try {
    await withMarks(async (db) => {
      const write = db.transaction(['waiting', 'told'], 'readwrite', { durability: 'strict' })
      for (const answer of told) await write.objectStore('told').put(answer)
      for (const { number, mark } of await write.objectStore('waiting').getAll())
        if (number !== undefined && answered.has(mark.markId))
          await write.objectStore('waiting').delete(number)
      await write.done
    })
  } catch {
    inMemory.told.push(...told)
  }
}

/** Forgets what this user was told. */
export const dismissNotices = async (userId: number): Promise<void> => {
  inMemory.told = inMemory.told.filter((answer) => answer.userId !== userId)
  await withMarks(async (db) => {
    const write = db.transaction('told', 'readwrite')
    for (const answer of await write.store.getAll())
      if (answer.userId === userId) await write.store.delete(answer.markId)
    await write.done
  }).catch(() => undefined)
}
