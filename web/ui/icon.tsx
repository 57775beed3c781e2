import { classes } from '../lib/classes'
import drawings from './icons.svg'

/** Each is a `<symbol>` in icons.svg. */
export type IconName =
  | 'alert'
  | 'archive'
  | 'bowl'
  | 'calendar'
  | 'cart'
  | 'chart'
  | 'chat'
  | 'check'
  | 'chevron-down'
  | 'chevron-left'
  | 'chevron-right'
  | 'chevron-up'
  | 'clock'
  | 'close'
  | 'copy'
  | 'download'
  | 'edit'
  | 'eye'
  | 'filter'
  | 'grid'
  | 'history'
  | 'info'
  | 'leaf'
  | 'list'
  | 'lock'
  | 'logout'
  | 'mail'
  | 'menu'
  | 'minus'
  | 'offline'
  | 'people'
  | 'person'
  | 'plus'
  | 'print'
  | 'refresh'
  | 'refund'
  | 'search'
  | 'settings'
  | 'steam'
  | 'switch'
  | 'table'
  | 'tag'
  | 'trash'
  | 'undo'
  | 'upload'
  | 'wallet'

const sizes = { sm: 'size-4', md: 'size-5', lg: 'size-6', xl: 'size-10' } as const

type IconProps = { name: IconName; size?: keyof typeof sizes; className?: string }

/** Decorative: the words beside it carry the meaning. */
export const Icon = ({ name, size = 'md', className }: IconProps) => (
  <svg aria-hidden="true" focusable="false" className={classes(sizes[size], 'shrink-0', className)}>
    <use href={`${drawings}#${name}`} />
  </svg>
)
