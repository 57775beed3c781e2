import { focusManager, onlineManager, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { v4 as newId } from 'uuid'
import type { SentMark } from '#contracts/serving'
import { schoolNow } from '../../lib/school-moment'
import { useConnectionBack } from '../../lib/use-device'
import { useNow } from '../../lib/use-time'
import { listQuery, queueQuery, sendWaiting } from './api'
import {
  type DeviceList,
  type HatchUser,
  isTooOld,
  type Queue,
  queueMark,
  type WaitingMark,
} from './device/device-store'
import { rememberHatchDevice, onOtherTabs, tellOtherTabs } from './device/this-device'

const empty: Queue = { waiting: [], told: [], unkept: 0 }

/** Undefined until read; follows other tabs. */
export const useDevice = (user: HatchUser) => {
  const client = useQueryClient()
  const list = useQuery(listQuery(user))
  const queue = useQuery(queueQuery)
  useEffect(rememberHatchDevice, [])
  useListEnd(user, list.data)
  useEffect(
    () =>
      onOtherTabs(() => {
        void client.invalidateQueries({ queryKey: listQuery(user).queryKey })
        void client.invalidateQueries({ queryKey: queueQuery.queryKey })
      }),
    [client, user],
  )
  return { list: list.data, queue: queue.data }
}

const listCheckMs = 60_000

/** Removes an expired list. */
const useListEnd = (user: HatchUser, list: DeviceList | null | undefined) => {
  const client = useQueryClient()
  const now = useNow(listCheckMs)
  const isOver = list ? isTooOld(list.source, now) : false
  useEffect(() => {
    if (isOver) void client.invalidateQueries({ queryKey: listQuery(user).queryKey })
  }, [isOver, client, user])
}

export type Act = Pick<SentMark, 'orderId' | 'kind' | 'undoes' | 'note'>

/** Shows, stores and sends a mark; answers its id. */
export const useMarking = (user: HatchUser) => {
  const client = useQueryClient()
  return useCallback(
    (act: Act): string => {
      const made: WaitingMark = { user, mark: { ...act, markId: newId(), at: schoolNow() } }
      const written = queueMark(made)
      client.setQueryData(queueQuery.queryKey, (queue = empty) => ({
        ...queue,
        waiting: [...queue.waiting, made],
      }))
      void written.then(() => client.invalidateQueries({ queryKey: queueQuery.queryKey })).then(tellOtherTabs)
      return made.mark.markId
    },
    [client, user],
  )
}

/** A finger may be lifted without a press of anything. */
const liftedMs = 400

/** The value that stood when a finger came down, until it has pressed: nothing moves away under it. */
export const useStill = <Value>(value: Value): Value => {
  const [still, setStill] = useState<{ value: Value } | null>(null)
  const shown = useRef(value)
  useEffect(() => {
    shown.current = value
  })
  useEffect(() => {
    let lifting: ReturnType<typeof setTimeout>
    const down = () => {
      clearTimeout(lifting)
      setStill((before) => before ?? { value: shown.current })
    }
    const lifted = (afterMs: number) => () => {
      clearTimeout(lifting)
      lifting = setTimeout(() => setStill(null), afterMs)
    }
    // What a press does is drawn first.
    const heard = {
      pointerdown: down,
      pointerup: lifted(liftedMs),
      pointercancel: lifted(0),
      click: lifted(0),
    }
    for (const [name, hear] of Object.entries(heard)) document.addEventListener(name, hear)
    return () => {
      clearTimeout(lifting)
      for (const [name, hear] of Object.entries(heard)) document.removeEventListener(name, hear)
    }
  }, [])
  return still ? still.value : value
}

const againAfterMs = 15_000

/** Sends on a new mark, on opening, on return of page or connection, and every 15 s while any wait. Answers the last error. */
export const useSending = (user: HatchUser, waiting: readonly WaitingMark[]): Error | null => {
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({ mutationFn: () => sendWaiting(client, user) })
  const newest = waiting.at(-1)?.mark.markId ?? null
  const tried = useRef<string | null>(null)
  useEffect(() => {
    const isTried = error !== null && tried.current === newest
    if (newest === null || isPending || isTried || !onlineManager.isOnline()) return
    tried.current = newest
    mutate()
  }, [newest, isPending, error, mutate])
  useEffect(() => {
    if (newest === null || isPending) return undefined
    const again = () => onlineManager.isOnline() && mutate()
    const timer = setInterval(again, againAfterMs)
    const stop = focusManager.subscribe(again)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [newest, isPending, mutate])
  useConnectionBack(
    useCallback(() => {
      if (newest !== null) mutate()
    }, [newest, mutate]),
  )
  return error
}

const undoableMs = 10_000

/** `undoable` for ten seconds each; `kept` in place until the last ends. */
type Recent = { undoable: ReadonlyMap<string, string>; kept: ReadonlySet<string> }

const nothing: Recent = { undoable: new Map(), kept: new Set() }

/** `shown` are the orders on screen, kept in place under the finger. */
export const useRecentMarks = () => {
  const [recent, setRecent] = useState(nothing)
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const running = timers.current
    return () => running.forEach((timer) => clearTimeout(timer))
  }, [])
  const forget = useCallback((orderId: string, markId: string) => {
    setRecent((before) => {
      if (before.undoable.get(orderId) !== markId) return before
      const undoable = new Map(before.undoable)
      undoable.delete(orderId)
      return undoable.size === 0 ? nothing : { ...before, undoable }
    })
  }, [])
  const remember = useCallback(
    (orderId: string, markId: string, shown: Iterable<string>) => {
      setRecent(({ undoable, kept }) => ({
        undoable: new Map(undoable).set(orderId, markId),
        kept: new Set([...kept, ...shown]),
      }))
      timers.current.add(setTimeout(() => forget(orderId, markId), undoableMs))
    },
    [forget],
  )
  return { recent, remember }
}
