import { useEffect, useRef } from 'react'

type Opened = { close: () => void }

/** What is open, the first opened first. Each has an entry of the history over that of its page. */
const opened: Opened[] = []

/** The entry we believe to be on: the router's number of the page, and how many of ours lie over it. */
let known = { page: undefined as unknown, held: 0 }
/** The address of the page when the first of ours came over it. */
let addressBefore = ''

type State = { idx?: number; opened?: number } | null
type Leaving = { to: number; by: number; replaced: { state: State; address: string } | null }

const answersInMs = 1000

/** Entries being left, which the browser does later; and what the router put in the place of the page meanwhile. */
let leaving: Leaving | null = null

const stateNow = () => window.history.state as State
const heldIn = (state: State) => state?.opened ?? 0

/**
 * Back, on a phone the gesture for it, closes what is open in place of leaving the page: every open dialog has an entry of
 * its own in the history, which goes when the dialog is closed in another way.
 */
export const useBackCloses = (open: boolean, onClose: () => void): void => {
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

// After what closes and opens in one go: a dialog that gives way to another leaves it its entry.
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

/** A page the router went on to has none of ours over it; one it replaced still has, and has lost the mark of it. */
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
  // A browser may not go where something else happens at the same time.
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
  // An entry of what is no longer open: nobody is to press twice.
  if (held > opened.length) return leave(held - opened.length, null)
  for (const one of opened.slice(held).toReversed()) one.close()
  // What did not let itself be closed has its entry again.
  settleSoon()
}

const afterLeaving = ({ to, by, replaced }: Leaving, held: number) => {
  // The router went on to another page between the wish to go back and the going: there again.
  if (held > to) {
    leaving = { to: Infinity, by: 0, replaced: null }
    return window.history.go(by)
  }
  if (replaced && held === 0)
    window.history.replaceState({ ...replaced.state, opened: 0 }, '', replaced.address)
  settleSoon()
}

// Before the router, which reads the address then.
window.addEventListener('popstate', onPop, { capture: true })
// A page that was loaded anew while something was open.
settleSoon()
