import { useEffect, useRef } from 'react'

type Opened = { close: () => void }

/** Open layers, oldest first; each has a history entry above its page. */
const opened: Opened[] = []

/** Where we believe to be: the router's page id and the number of our entries above it. */
let known = { page: undefined as unknown, held: 0 }
/** Address before our first entry. */
let addressBefore = ''

type State = { idx?: number; opened?: number } | null
type Leaving = { to: number; by: number; replaced: { state: State; address: string } | null }

const answersInMs = 1000

/** Back below the layers, once they are closed. */
let isGoingBack = false

/** For a layer that refused to close on Back and closes now: leaves the page. */
export const goBackOnceClosed = () => {
  isGoingBack = true
}

/** Entries being left asynchronously, and the router's replacement meanwhile. */
let leaving: Leaving | null = null

const stateNow = () => window.history.state as State
const heldIn = (state: State) => state?.opened ?? 0

/** Back closes the open dialog instead of leaving the page: each has a history entry, removed when it closes another way. */
export const useCloseOnBack = (open: boolean, onClose: () => void): void => {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!open) return
    const one = { close: () => close.current() }
    opened.push(one)
    settleSoon()
    return () => {
      opened.splice(opened.indexOf(one), 1)
      settleSoon()
    }
  }, [open])
}

// Batched: a dialog that replaces another takes over its entry.
const settleSoon = () => void Promise.resolve().then(settle)

const settle = () => {
  if (leaving) return
  const held = heldNow()
  if (opened.length > held) hold(held)
  else if (opened.length < held) leave(held - opened.length, replacedNow())
}

const replacedNow = (): Leaving['replaced'] => {
  const address = window.location.href
  return address === addressBefore ? null : { state: stateNow(), address }
}

/** A new page has none of our entries; a replaced page has lost their mark. */
const heldNow = (): number => {
  const state = stateNow()
  if (state?.idx !== known.page) known = { page: state?.idx, held: heldIn(state) }
  else if (heldIn(state) !== known.held) mark('replaceState', known.held)
  return known.held
}

const hold = (from: number) => {
  if (from === 0) addressBefore = window.location.href
  for (let held = from + 1; held <= opened.length; held++) mark('pushState', held)
  known.held = opened.length
}

const mark = (by: 'pushState' | 'replaceState', held: number) =>
  window.history[by]({ ...stateNow(), opened: held }, '')

const leave = (by: number, replaced: Leaving['replaced']) => {
  const one = { to: known.held - by, by, replaced }
  leaving = one
  window.history.go(-by)
  // A browser may ignore navigation during another one.
  setTimeout(() => {
    if (leaving !== one) return
    leaving = null
    settle()
  }, answersInMs)
}

const onPop = ({ state }: PopStateEvent) => {
  const held = heldIn(state as State)
  const left = leaving
  leaving = null
  known = { page: (state as State)?.idx, held }
  if (left) return afterLeaving(left, held)
  // Removes entries of closed layers, so that nobody presses Back twice.
  if (held > opened.length) return leave(held - opened.length, null)
  for (const one of opened.slice(held).toReversed()) one.close()
  // A layer that refused to close gets its entry back.
  settleSoon()
}

const afterLeaving = ({ to, by, replaced }: Leaving, held: number) => {
  // The router moved on before Back happened: go there again.
  if (held > to) {
    leaving = { to: Infinity, by: 0, replaced: null }
    return window.history.go(by)
  }
  if (replaced) window.history.replaceState({ ...replaced.state, opened: held }, '', replaced.address)
  if (isGoingBack && held === 0) {
    isGoingBack = false
    return window.history.back()
  }
  settleSoon()
}

// Runs before the router reads the address.
window.addEventListener('popstate', onPop, { capture: true })
// The page was reloaded with something open.
settleSoon()
