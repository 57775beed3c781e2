import { Logo } from '../../features/session/brand'
import { Icon } from '../../ui/icon'
import type { IconName } from '../../ui/icon'

const promises: { icon: IconName; text: string }[] = [
  { icon: 'calendar', text: 'Choose lunches for the whole order cycle at once' },
  { icon: 'people', text: 'One account for all your children' },
  { icon: 'clock', text: 'Plans change: cancel within an hour of placing the order' },
]

/** The green half of the portal entry: what this is, and for whom. On a phone only its first lines. */
export const Welcome = ({ school }: { school: string }) => (
  <header className="relative overflow-hidden bg-brand-800 px-5 py-6 text-white lg:flex lg:flex-col lg:justify-center lg:px-14">
    <div className="flex items-center gap-3 lg:mb-8">
      <Logo className="hidden size-14 ring-2 ring-brand-600 lg:block" />
      <div>
        <h1 className="font-display text-xl font-semibold lg:text-3xl">Parent &amp; Teacher Portal</h1>
        <p className="text-sm text-brand-100 lg:text-lg">School lunches from {school}</p>
      </div>
    </div>
    <ul className="hidden flex-col gap-4 lg:flex">
      {promises.map(({ icon, text }) => (
        <li key={text} className="flex items-center gap-4 text-lg text-brand-50">
          <span className="rounded-xl bg-brand-700 p-2.5 text-accent-300">
            <Icon name={icon} />
          </span>
          {text}
        </li>
      ))}
    </ul>
    <Icon
      name="steam"
      className="pointer-events-none absolute -right-6 -bottom-10 hidden size-72 text-brand-700 lg:block"
    />
  </header>
)
