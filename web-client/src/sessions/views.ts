/** The pages of sessions, loaded when the first of them is opened. */
export { sessionList } from './list';
export { SessionPage } from './page';
