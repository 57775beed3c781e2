import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { ServedLunch, SentMark, Serving, MarkResult } from '#contracts/serving'
import { forgetPrivateData, privateDatabase } from '../../../lib/device-storage'

/** Whose list or mark it is: the administrator who was signed in, by username. */
export type HatchUser = { id: number; name: string }

/** Where a list came from: who read it, when (ms of the device's clock), and how the school's clock goes. */
export type ListSource = { user: HatchUser; readAt: number; timeZone: string; aheadMs: number }

/** The list of the day as this device keeps it. */
export type DeviceList = Serving & { source: ListSource }

/** A mark that the server has not answered yet, and whose it is. It holds no child's name. */
export type WaitingMark = { user: HatchUser; mark: SentMark }

/** What the server said of a mark that is not what stands now; kept until its user puts it away. */
export type ToldAnswer = Omit<MarkResult, 'result'> & {
  result: Exclude<MarkResult['result'], 'kept'>
  userId: number
  orderId: string
  kind: SentMark['kind']
  /** The server's own words, where it gave any. */
  message: string | null
}

/** A list is kept this long after the server last said that it is what it is. */
const listKeptMs = 36 * 60 * 60_000

/** Whether the list of this source may be shown no more at `now` (ms), also where the device's clock was set back since. */
export const isTooOld = ({ readAt }: ListSource, now: number): boolean => Math.abs(now - readAt) > listKeptMs

interface ListSchema extends DBSchema {
  serving: { key: 'today'; value: Serving }
  source: { key: 'today'; value: ListSource }
}
interface MarkSchema extends DBSchema {
  waiting: { key: number; value: WaitingMark & { number?: number } }
  told: { key: string; value: ToldAnswer }
}

/** Opened for one act alone: a database that is open somewhere could not be removed. */
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

/** A browser may leave the question unanswered, as while a frozen tab holds an older database. */
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

/** Notes that the server has just said that the kept list is still what it is. */
export const confirmList = (source: ListSource): Promise<void> =>
  withList(async (db) => {
    const write = db.transaction('source', 'readwrite')
    const kept = await write.store.get('today')
    if (kept?.user.id === source.user.id) await write.store.put(source, 'today')
    await write.done
  })

/**
 * The list that this user may see at `now` (ms); one that is too old, or somebody else's, is removed, and one of a day
 * before `today`, which is null where the server has not said what day it is.
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

/** Whose list is on this device; null without one that may still be shown: then it is removed. `now` in ms. */
export const hatchUserOnDevice = async (now: number = Date.now()): Promise<HatchUser | null> => {
  const source = await withList((db) => db.get('source', 'today')).catch(() => null)
  if (!source) return null
  if (!isTooOld(source, now)) return source.user
  await forgetPrivateData()
  return null
}

/** Changes lunches of the kept list to what the server has just said of them. */
export const changeLunches = (userId: number, change: (lunch: ServedLunch) => ServedLunch): Promise<void> =>
  withList(async (db) => {
    const write = db.transaction(['serving', 'source'], 'readwrite')
    const source = await write.objectStore('source').get('today')
    const serving = await write.objectStore('serving').get('today')
    if (serving && source?.user.id === userId)
      await write.objectStore('serving').put({ ...serving, lunches: serving.lunches.map(change) }, 'today')
    await write.done
  })

/** What is not on the disk: marks until they are written there, and what found no room, which a closed page loses. */
const inMemory: { waiting: (WaitingMark & { hasNoRoom?: true })[]; told: ToldAnswer[] } = {
  waiting: [],
  told: [],
}

/**
 * Puts a mark at the end of the queue. On the disk when this ends, so that a flat battery does not lose it, or in memory
 * alone where the device has no room; `readQueue` has it from the first.
 */
export const queueMark = async (made: WaitingMark): Promise<void> => {
  const held: (typeof inMemory.waiting)[number] = { ...made }
  // What follows one without room stays behind it.
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
  /** Of every user of this device, in the order in which they were made. */
  waiting: WaitingMark[]
  told: ToldAnswer[]
  /** How many of those that wait are lost when the page is closed. */
  unkept: number
}

export const readQueue = async (): Promise<Queue> => {
  const before = [...inMemory.waiting]
  const kept = await withMarks(async (db) => ({
    waiting: await db.getAll('waiting'),
    told: await db.getAll('told'),
  })).catch(() => ({ waiting: [], told: [] }))
  const written = new Set(kept.waiting.map(({ mark }) => mark.markId))
  // Those before and after the disk was read: none that was written, or made, meanwhile is missed.
  const held = new Set([...before, ...inMemory.waiting])
  const behind = [...held].filter(({ mark }) => !written.has(mark.markId))
  return {
    waiting: [...kept.waiting, ...behind].map(({ user, mark }) => ({ user, mark })),
    told: [...kept.told, ...inMemory.told],
    unkept: behind.filter(({ hasNoRoom }) => hasNoRoom).length,
  }
}

/** Takes marks that were answered out of the queue, and keeps what is to be told of them. */
export const settleMarks = async (markIds: readonly string[], told: readonly ToldAnswer[]): Promise<void> => {
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
