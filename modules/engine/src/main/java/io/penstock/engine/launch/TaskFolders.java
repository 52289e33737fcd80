package io.penstock.engine.launch;

import java.io.IOException;
import java.nio.file.Path;

/** The two folders of the data directory from which the next server learns which tasks lived and which were queued. */
public record TaskFolders(LiveTaskFolder live, QueueFolder queue) {

    /** @param forced whether queued tasks must survive a power cut */
    public static TaskFolders open(Path data, boolean forced) throws IOException {
        Path live = data.resolve("live");
        return new TaskFolders(new LiveTaskFolder(live), new QueueFolder(data.resolve("queue"), live, forced));
    }
}
