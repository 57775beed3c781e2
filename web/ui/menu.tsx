import { Menu as HeadlessMenu, MenuButton, MenuItem, MenuItems } from '@headlessui/react'
import type { ReactNode } from 'react'
import { classes } from '../lib/classes'
import { Icon, type IconName } from './icon'

export type MenuAction = {
  label: string
  icon?: IconName
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
}

type MenuProps = {
  /** What the button says; with `icon` alone it is for screen readers. */
  label: string
  icon?: IconName
  hideLabel?: boolean
  actions: readonly MenuAction[]
  children?: ReactNode
}

/** A button that opens a list of actions. */
export const Menu = ({ label, icon = 'chevron-down', hideLabel, actions }: MenuProps) => (
  <HeadlessMenu>
    <MenuButton className="tap inline-flex items-center justify-center gap-2 rounded-md px-2 font-semibold hover:bg-sand-100">
      <span className={hideLabel ? 'sr-only' : undefined}>{label}</span>
      <Icon name={icon} />
    </MenuButton>
    <MenuItems
      anchor={{ to: 'bottom end', gap: 4, padding: 8 }}
      className="z-30 min-w-48 animate-enter rounded-lg border border-line bg-surface p-1.5 shadow-raised outline-none"
    >
      {actions.map((action) => (
        <MenuItem key={action.label} disabled={action.disabled}>
          <button
            type="button"
            onClick={action.onSelect}
            className={classes(
              'flex min-h-11 w-full items-center gap-2.5 rounded-md px-3 text-left data-focus:bg-sand-100 data-disabled:opacity-50',
              action.danger && 'text-danger-600',
            )}
          >
            {action.icon ? <Icon name={action.icon} size="sm" /> : null}
            {action.label}
          </button>
        </MenuItem>
      ))}
    </MenuItems>
  </HeadlessMenu>
)
