import { Tab, TabGroup, TabList, TabPanel, TabPanels } from '@headlessui/react'
import { Fragment, type ReactNode, type RefObject, useEffect, useRef } from 'react'
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
  /** Panel of the current tab; a function draws all panels, and what is typed in them stays. */
  children: ReactNode | ((key: Key) => ReactNode)
}

/** One Tab stop; arrows, Home and End select. */
export const Tabs = <Key extends string>({
  label,
  tabs,
  current,
  onChange,
  atFoot,
  children,
}: TabsProps<Key>) => {
  const list = useRef<HTMLElement>(null)
  useFocusAfter(current, list)
  const choose = (index: number) => {
    const tab = tabs[index]
    if (tab) onChange(tab.key)
  }
  return (
    <TabGroup as={Fragment} selectedIndex={tabs.findIndex(({ key }) => key === current)} onChange={choose}>
      <TabList ref={list} aria-label={label} className={classes('tabs', atFoot && 'tabs-foot')}>
        {tabs.map(({ key, label: text, icon, count }) => (
          <Tab key={key} data-key={key} className="tab">
            {icon ? <Icon name={icon} /> : null}
            <span>
              {text}
              {count ? (
                <span className="money ml-1 rounded-xl bg-accent-600 px-1.5 text-white">{count}</span>
              ) : null}
            </span>
          </Tab>
        ))}
      </TabList>
      <TabPanels as={Fragment}>
        {tabs.map(({ key }) => (
          <TabPanel
            key={key}
            tabIndex={-1}
            unmount={typeof children !== 'function'}
            className={classes('pt-5', atFoot && 'max-md:pt-1')}
          >
            {typeof children === 'function' ? children(key) : children}
          </TabPanel>
        ))}
      </TabPanels>
    </TabGroup>
  )
}

// A panel's button that switches tabs disappears with the focus.
const useFocusAfter = (current: string, list: RefObject<HTMLElement | null>) => {
  const before = useRef(current)
  useEffect(() => {
    if (before.current !== current && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>(`[data-key="${current}"]`)?.focus({ preventScroll: true })
    before.current = current
  }, [current, list])
}
