import { answerTo, type Question } from './pattern';

/** Searches with a user's regular expression, outside of the page, which must not wait for it. */
onmessage = ({ data }: MessageEvent<Question>) => postMessage(answerTo(data));
