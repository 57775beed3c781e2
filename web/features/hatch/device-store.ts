import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { ServedLunch, SentMark, Serving, MarkResult } from '#contracts/serving'
import { listDatabase } from './on-device'

/** Whose list or mark it is: the administrator who was signed in. */
export type HatchUser = { id: number; name: string }

/** Where a list came from: who read it, when (ms of the device's clock), and how the school's clock goes. */
export type ListSource = { user: HatchUser; readAt: number; timeZone: string; aheadMs: number }

/** The list of the day as this device keeps it. */
export type DeviceList = Serving & { source: ListSource }

/** A mark that the server has not answered yet; numbered in the order in which they were made. It holds no child's name. */
type WaitingMark = { number: number; user: HatchUser; mark: SentMark }
export type NewMark = Omit<WaitingMark, 'number'>

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

interface ListSchema extends DBSchema {
  serving: { key: 'today'; value: Serving }
  source: { key: 'today'; value: ListSource }
}
interface MarkSchema extends DBSchema {
  waiting: { key: number; value: NewMark & { number?: number } }
  told: { key: string; value: ToldAnswer }
}

/** Opened for one act alone: a list that is open somewhere could not be removed. */
const withList = async <Result>(act: (db: IDBPDatabase<ListSchema>) => Promise<Result>): Promise<Result> => {
  const db = await openDB<ListSchema>(listDatabase, 1, {
    upgrade: (made) => {
      made.createObjectStore('serving')
      made.createObjectStore('source')
    },
    blocking: (_version, _blocked, { target }) => (target as IDBDatabase).close(),
  })
  try {
    return await act(db)
  } finally {
    db.close()
  }
}

const withMarks = async <Result>(act: (db: IDBPDatabase<MarkSchema>) => Promise<Result>): Promise<Result> => {
  const db = await openDB<MarkSchema>('tuckshop-hatch-marks', 1, {
    upgrade: (made) => {
      made.createObjectStore('waiting', { keyPath: 'number', autoIncrement: true })
      made.createObjectStore('told', { keyPath: 'markId' })
    },
  })
  try {
    return await act(db)
  } finally {
    db.close()
  }
}

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

/** The list that this user may see at `now` (ms); one that is too old, or somebody else's, is removed. */
export const listOnDevice = (userId: number, now: number): Promise<DeviceList | null> =>
  withList(async (db) => {
    const write = db.transaction(['serving', 'source'], 'readwrite')
    const source = await write.objectStore('source').get('today')
    const serving = await write.objectStore('serving').get('today')
    const isKept = source?.user.id === userId && now - source.readAt <= listKeptMs
    if (!isKept)
      await Promise.all([write.objectStore('serving').clear(), write.objectStore('source').clear()])
    await write.done
    return isKept && serving ? { ...serving, source } : null
  })

/** Whose list is on this device; null without one that may still be shown. `now` in ms. */
export const hatchUserOnDevice = async (now: number = Date.now()): Promise<HatchUser | null> => {
  const source = await withList((db) => db.get('source', 'today')).catch(() => null)
  return source && now - source.readAt <= listKeptMs ? source.user : null
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

/** What found no room on this device: it is lost when the page is closed. */
const inMemory: { waiting: NewMark[]; told: ToldAnswer[] } = { waiting: [], told: [] }

/**
 * Puts a mark at the end of the queue. On the disk before this ends, so that a flat battery does not lose it; in memory
 * where the device has no room.
 */
export const queueMark = async (made: NewMark): Promise<void> => {
  // What follows one in memory stays behind it.
  if (inMemory.waiting.length > 0) return void inMemory.waiting.push(made)
  try {
    await withMarks(async (db) => {
      const write = db.transaction('waiting', 'readwrite', { durability: 'strict' })
      await Promise.all([write.store.add(made), write.done])
    })
  } catch {
    inMemory.waiting.push(made)
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
  const kept = await withMarks(async (db) => ({
    waiting: (await db.getAll('waiting')) as WaitingMark[],
    told: await db.getAll('told'),
  })).catch(() => ({ waiting: [], told: [] }))
  const last = kept.waiting.at(-1)?.number ?? 0
  const behind = inMemory.waiting.map((made, at) => ({ ...made, number: last + 1 + at }))
  return {
    waiting: [...kept.waiting, ...behind],
    told: [...kept.told, ...inMemory.told],
    unkept: behind.length,
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
      for (const { number, mark } of (await write.objectStore('waiting').getAll()) as WaitingMark[])
        if (answered.has(mark.markId)) await write.objectStore('waiting').delete(number)
      await write.done
    })
  } catch {
    inMemory.told.push(...told)
  }
}

/** Forgets what this user was told. */
export const putAwayTold = async (userId: number): Promise<void> => {
  inMemory.told = inMemory.told.filter((answer) => answer.userId !== userId)
  await withMarks(async (db) => {
    const write = db.transaction('told', 'readwrite')
    for (const answer of await write.store.getAll())
      if (answer.userId === userId) await write.store.delete(answer.markId)
    await write.done
  }).catch(() => undefined)
}
