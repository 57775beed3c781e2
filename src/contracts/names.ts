/** The browser compares names and phones as the server does. */
export { foldedName, foldedWords } from '#kernel/folded-name'
export { internationalPhone } from '#kernel/phone-number'
