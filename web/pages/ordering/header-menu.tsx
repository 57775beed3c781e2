import { Menu, MenuButton, MenuItem, MenuItems } from '@headlessui/react'
import { Fragment, type ReactElement, type ReactNode } from 'react'
import { IconButton } from '../../ui/button'

type HeaderMenuProps = { acts: readonly ReactElement[]; children: ReactNode }

/** Acts of a home's header on a phone, below `children`. */
export const HeaderMenu = ({ acts, children }: HeaderMenuProps) => (
  <Menu>
    {({ open }) => (
      <>
        <MenuButton as={Fragment}>
          <IconButton
            icon={open ? 'close' : 'menu'}
            variant="onBrand"
            label={open ? 'Close menu' : 'Open menu'}
            className="md:hidden"
          />
        </MenuButton>
        {open ? (
          <div className="mt-2 flex w-full flex-col border-t border-head-raised pt-2 md:hidden">
            {children}
            <MenuItems static modal={false} className="flex flex-col outline-none">
              {acts.map((act) => (
                <MenuItem key={act.key}>{act}</MenuItem>
              ))}
            </MenuItems>
          </div>
        ) : null}
      </>
    )}
  </Menu>
)
