import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { classes } from '../lib/classes'
import { Icon, type IconName } from './icon'

type TabText<Key extends string> = { key: Key; label: string; icon?: IconName; count?: number }

type TabsProps<Key extends string> = {
  label: string
  tabs: readonly TabText<Key>[]
  current: Key
  onChange: (key: Key) => void
  /** At the foot on phones, for a whole home. */
  atFoot?: boolean
  /** Panel of the current tab. */
  children: ReactNode
}

/** ARIA tabs: one Tab stop; arrows, Home and End select. Own code: Headless UI's would make the first load 142 kB of 140. */
export const Tabs = <Key extends string>({
  label,
  tabs,
  current,
  onChange,
  atFoot,
  children,
}: TabsProps<Key>) => {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useFocusAfter(current, list)
  const choose = (index: number) => {
    const tab = tabs[(index + tabs.length) % tabs.length]
    if (!tab) return
    onChange(tab.key)
    list.current?.querySelector<HTMLElement>(`[data-key="${tab.key}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.key === current)
    const moves: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className={classes('tabs', atFoot && 'tabs-foot')}
      >
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            data-key={tab.key}
            aria-selected={tab.key === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === current ? 0 : -1}
            onClick={() => onChange(tab.key)}
            className="tab"
          >
            {tab.icon ? <Icon name={tab.icon} /> : null}
            <span>
              {tab.label}
              {tab.count ? (
                <span className="money ml-1 rounded-xl bg-accent-600 px-1.5 text-white">{tab.count}</span>
              ) : null}
            </span>
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current}`}
        className={classes('pt-5', atFoot && 'max-md:pt-1')}
      >
        {children}
      </div>
    </>
  )
}

// A panel's button that switches tabs disappears with the focus.
const useFocusAfter = (current: string, list: RefObject<HTMLElement | null>) => {
  const before = useRef(current)
  useEffect(() => {
    if (before.current !== current && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus({ preventScroll: true })
    before.current = current
  }, [current, list])
}
